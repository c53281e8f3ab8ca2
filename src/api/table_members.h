// Reads the members of CreateTable and UpdateTable from JSON, and notes which
// constraints they violate.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/constraints.h"
#include "codec/json_request.h"
#include "taula/table.h"

namespace taula::api {

// `path` is where a value stands, as messages name it: "keySchema",
// "globalSecondaryIndexes.1.member.keySchema".
class TableMembers {
 public:
  explicit TableMembers(Constraints& constraints) : constraints_(constraints) {}

  // Nothing when the member is absent, which is noted if it is required.
  std::optional<std::vector<AttributeDefinition>> AttributeDefinitions(const codec::JsonValue& json, bool required);
  std::vector<KeySchemaElement> KeySchema(const codec::JsonValue& json, const std::string& path);
  std::optional<Throughput> ProvisionedThroughput(const codec::JsonValue& json, const std::string& path);
  std::optional<OnDemandThroughput> OnDemand(const codec::JsonValue& json);
  std::optional<WarmThroughput> Warm(const codec::JsonValue& json);
  std::optional<StreamSpecification> Stream(const codec::JsonValue& json);
  std::optional<EncryptionSpecification> Encryption(const codec::JsonValue& json);
  std::optional<BillingMode> Billing(const codec::JsonValue& json);
  // `unknown` is set when the text is none of the classes; this is no
  // constraint of the usual form.
  std::optional<TableClass> Class(const codec::JsonValue& json, bool& unknown);
  std::string IndexName(const codec::JsonValue& json, const std::string& path);
  // An index without its throughput, and one with.
  IndexDefinition LocalIndex(const codec::JsonStruct& json, const std::string& path);
  IndexDefinition GlobalIndex(const codec::JsonStruct& json, const std::string& path);
  // `empty` is set when the list is there and has nothing in it.
  std::vector<IndexDefinition> Indexes(const codec::JsonValue& json, const std::string& path, bool global, bool& empty);

  // Calls read(element, path) for each structure in a list; returns how many
  // elements it has, nothing when there is no list.
  template <typename Read>
  std::optional<std::size_t> ForEach(const codec::JsonValue& json, const std::string& path, std::string_view type,
                                     Read read) {
    const std::optional<codec::JsonList> list = json.List();
    if (!list) return std::nullopt;
    std::size_t number = 0;
    for (const codec::JsonValue element : *list) {
      const std::string element_path = path + "." + std::to_string(++number) + ".member";
      if (const std::optional<codec::JsonStruct> members = element.Struct(type)) {
        read(*members, element_path);
      } else {
        constraints_.Missing(element_path);
      }
    }
    return number;
  }

 private:
  std::optional<Projection> ReadProjection(const codec::JsonValue& json, const std::string& path);
  std::string AttributeName(const codec::JsonValue& json, const std::string& path);
  template <typename Enum>
  std::optional<Enum> Enumeration(const codec::JsonValue& json, const std::string& path, std::string_view values,
                                  bool required);
  std::int64_t Units(const codec::JsonValue& json, const std::string& path);

  Constraints& constraints_;
};

}  // namespace taula::api
