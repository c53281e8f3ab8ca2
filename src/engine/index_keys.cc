#include "engine/index_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/limits.h"
#include "value/key_value.h"
#include "value/size.h"
#include "value/type_name.h"

namespace taula::engine {
namespace {

// Calls check(index, attribute, is_sort) for each key attribute of each index,
// by name of the index, which is the one that Amazon's errors name.
template <typename Check>
Result<void> ForEachIndexKey(const catalog::Table& table, Check check) {
  std::vector<const catalog::Index*> indexes;
  indexes.reserve(table.indexes.size());
  for (const catalog::Index& index : table.indexes) indexes.push_back(&index);
  std::ranges::sort(indexes, {}, [](const catalog::Index* index) -> const std::string& { return index->name; });
  for (const catalog::Index* index : indexes) {
    for (const catalog::KeyAttribute& attribute : index->key.partition) {
      if (Result<void> ok = check(*index, attribute, false); !ok) return ok;
    }
    for (const catalog::KeyAttribute& attribute : index->key.sort) {
      if (Result<void> ok = check(*index, attribute, true); !ok) return ok;
    }
  }
  return {};
}

Result<void> CheckType(const catalog::Index& index, const catalog::KeyAttribute& attribute, ValueView value) {
  if (value.type() == attribute.type) return {};
  return ValidationError(fmt::format(
      "One or more parameter values were invalid: Type mismatch for Index Key {} Expected: {} Actual: {} IndexName: {}",
      attribute.name, value::TypeName(attribute.type), value::TypeName(value.type()), index.name));
}

// Whether check(attribute, is_sort) holds for the key attributes of all indexes,
// in whatever order: for most writes that is all there is to know.
template <typename Check>
bool HoldsForAll(const catalog::Table& table, Check check) {
  return std::ranges::all_of(table.indexes, [&](const catalog::Index& index) {
    return std::ranges::all_of(index.key.partition, [&](const auto& attribute) { return check(attribute, false); }) &&
           std::ranges::all_of(index.key.sort, [&](const auto& attribute) { return check(attribute, true); });
  });
}

bool IsFaultless(const catalog::KeyAttribute& attribute, ValueView value, bool is_sort) {
  const std::size_t bytes_max = is_sort ? base::kSortKeyBytesMax : base::kPartitionKeyBytesMax;
  return value.type() == attribute.type && !value::IsEmpty(value) && value::ValueSize(value) <= bytes_max;
}

Result<void> CheckLength(ValueView value, bool is_sort) {
  const std::size_t size = value::ValueSize(value);
  return is_sort ? value::CheckSortKeySize(size) : value::CheckPartitionKeySize(size);
}

}  // namespace

Result<void> CheckIndexKeys(const catalog::Table& table, ValueView item) {
  const bool faultless = HoldsForAll(table, [&](const catalog::KeyAttribute& attribute, bool is_sort) {
    const std::optional<ValueView> value = item.Find(attribute.name);
    return !value || IsFaultless(attribute, *value, is_sort);
  });
  if (faultless) return {};
  return ForEachIndexKey(
      table, [&](const catalog::Index& index, const catalog::KeyAttribute& attribute, bool is_sort) -> Result<void> {
        const std::optional<ValueView> value = item.Find(attribute.name);
        if (!value || table.key.Names(attribute.name)) return {};
        if (Result<void> ok = CheckType(index, attribute, *value); !ok) return ok;
        if (value::IsEmpty(*value)) {
          constexpr std::string_view kCircumstance = "A value specified for a secondary index key is not supported. ";
          return ValidationError(fmt::format("{} IndexName: {}, IndexKey: {}",
                                             value::EmptyKeyMessage(*value, kCircumstance), index.name,
                                             attribute.name));
        }
        return CheckLength(*value, is_sort);
      });
}

Result<void> CheckUpdatedIndexKeys(const catalog::Table& table, const expression::Update& update, ValueView old_item,
                                   ValueView new_item) {
  const bool unchanged = HoldsForAll(table, [&](const catalog::KeyAttribute& attribute, bool) {
    return !update.Writes(attribute.name) || old_item.Find(attribute.name) == new_item.Find(attribute.name);
  });
  if (unchanged) return {};
  return ForEachIndexKey(
      table, [&](const catalog::Index& index, const catalog::KeyAttribute& attribute, bool is_sort) -> Result<void> {
        const std::optional<ValueView> value = new_item.Find(attribute.name);
        if (!value) return {};
        const std::optional<ValueView> before = old_item.Find(attribute.name);
        if (before && *before == *value) return {};
        if (Result<void> ok = CheckType(index, attribute, *value); !ok) return ok;
        if (value::IsEmpty(*value)) {
          return ValidationError(value::EmptyKeyMessage(
              *value,
              "The update expression attempted to update a secondary index key to a value that is not supported. "));
        }
        return CheckLength(*value, is_sort);
      });
}

}  // namespace taula::engine
