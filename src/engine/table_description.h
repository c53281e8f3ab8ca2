// What one is told about a table, made from what the catalog knows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "catalog/table.h"
#include "storage/store.h"
#include "taula/table.h"

namespace taula::engine {

// `now_ms` decides whether a decrease of throughput was today's.
[[nodiscard]] TableDescription DescribeTable(const catalog::Table& table, std::string_view table_arn,
                                             const storage::Reader& reader, std::int64_t now_ms);

// What DeleteTable answers: the same without keys and indexes, in the state of
// being deleted.
[[nodiscard]] TableDescription DescribeDeleted(TableDescription description);

// Milliseconds since 1970 as the API has them, in seconds.
[[nodiscard]] inline double Seconds(std::int64_t ms) { return static_cast<double>(ms) / 1000; }

// How often throughput was decreased on the day of `now_ms`.
[[nodiscard]] std::int64_t DecreasesToday(const ProvisionedThroughputDescription& throughput, std::int64_t now_ms);

}  // namespace taula::engine
