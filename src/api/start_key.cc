#include "api/start_key.h"

#include <array>
#include <string>
#include <vector>

#include "engine/key_validation.h"

namespace taula::api {
namespace {

constexpr std::string_view kInvalid = "The provided starting key is invalid";

// Counts the attributes of this schema that are not in `already`; false when one
// is absent from the key or of the wrong type.
bool CountAttributes(const catalog::KeySchema& schema, const catalog::KeySchema* already, const Item& key,
                     std::size_t& count) {
  for (const auto* attributes : {&schema.partition, &schema.sort}) {
    for (const catalog::KeyAttribute& attribute : *attributes) {
      const std::optional<ValueView> value = key.Find(attribute.name);
      if (!value || value->type() != attribute.type) return false;
      if (already == nullptr || !already->Names(attribute.name)) ++count;
    }
  }
  return true;
}

}  // namespace

Result<void> CheckStartKeyValues(const DecodeFaults& faults) {
  const codec::ValueFault* const fault = faults.InvalidValue(Member::kExclusiveStartKey);
  if (fault == nullptr) return {};
  // Amazon says these without naming the starting key.
  constexpr std::array<std::string_view, 5> kPlain = {"contains duplicates", "number set", "numeric value",
                                                      "significant digits", "number with magnitude"};
  for (const std::string_view text : kPlain) {
    if (fault->message.find(text) != std::string::npos) return ValidationError(fault->message);
  }
  return ValidationError(std::string(kInvalid) + ": " + fault->message);
}

Result<void> CheckStartKey(const catalog::Table& table, const catalog::Index* index, const Item& key) {
  std::size_t count = 0;
  bool fits = CountAttributes(table.key, nullptr, key, count);
  if (fits && index != nullptr) fits = CountAttributes(index->key, &table.key, key, count);
  if (!fits || key.attributes().size() != count) return ValidationError(std::string(kInvalid));
  Result<void> ok = engine::CheckKeyNotEmpty(table.key, key.attributes());
  if (ok && index != nullptr) ok = engine::CheckKeyNotEmpty(index->key, key.attributes());
  if (!ok) ok.error().message = std::string(kInvalid) + ": " + ok.error().message;
  return ok;
}

Result<void> CheckStartKeyInQuery(const catalog::KeySchema& schema, const expression::KeyLookup& lookup,
                                  const Item& key) {
  bool same_partition = true;
  for (std::size_t i = 0; i < schema.partition.size(); ++i) {
    same_partition = same_partition && *key.Find(schema.partition[i].name) == lookup.partition[i];
  }
  if (lookup.sort_equal.empty() && !lookup.range) {
    if (same_partition) return {};
    return ValidationError("The provided starting key is outside query boundaries based on provided conditions");
  }
  std::vector<ValueView> sort;
  for (const catalog::KeyAttribute& attribute : schema.sort) sort.push_back(*key.Find(attribute.name));
  if (!lookup.MatchesSort(sort)) {
    return ValidationError("The provided starting key does not match the range key predicate");
  }
  if (!same_partition) return ValidationError("The query can return at most one row and cannot be restarted");
  return {};
}

}  // namespace taula::api
