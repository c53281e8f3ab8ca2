// A design's tables as the requests that make them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "design/model.h"

namespace taula::design {

// Bodies of DynamoDB's operations, in its JSON.
[[nodiscard]] std::string CreateTableBody(const Table& table, std::string_view name);
[[nodiscard]] std::string TableNameBody(std::string_view name);
[[nodiscard]] std::string AddIndexBody(const Table& table, std::string_view name, const Index& index);
// The units that a global index is to have.
struct IndexUnits {
  std::string name;
  Throughput units;
};
// Amazon refuses what changes nothing, so the table's own is left out when it is
// as it should be.
[[nodiscard]] std::string BillingBody(const Table& table, std::string_view name, bool table_differs,
                                      const std::vector<IndexUnits>& indexes);
[[nodiscard]] std::string StreamBody(const Table& table, std::string_view name);
[[nodiscard]] std::string EncryptionBody(const Encryption& encryption, std::string_view name);
[[nodiscard]] std::string DeletionProtectionBody(const Table& table, std::string_view name);
[[nodiscard]] std::string TimeToLiveBody(const Table& table, std::string_view name);

// As DynamoDB names them: "S", "NEW_IMAGE".
[[nodiscard]] std::string_view WireName(Type key_type);
[[nodiscard]] std::string_view WireName(StreamView view);

}  // namespace taula::design
