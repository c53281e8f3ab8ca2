#include "engine/key_validation.h"

#include <fmt/format.h>

#include "base/function_ref.h"
#include "base/limits.h"
#include "value/key_value.h"
#include "value/number.h"
#include "value/size.h"
#include "value/type_name.h"

namespace taula::engine {
namespace {

std::unexpected<Error> DoesNotMatch() { return ValidationError("The provided key element does not match the schema"); }

using CheckAttribute = base::FunctionRef<Result<void>(const catalog::KeyAttribute&)>;

Result<void> ForEachKeyAttribute(const catalog::KeySchema& schema, CheckAttribute check) {
  for (const catalog::KeyAttribute& attribute : schema.partition) {
    if (Result<void> ok = check(attribute); !ok) return ok;
  }
  for (const catalog::KeyAttribute& attribute : schema.sort) {
    if (Result<void> ok = check(attribute); !ok) return ok;
  }
  return {};
}

std::size_t SizeOf(const std::vector<catalog::KeyAttribute>& attributes, MapView item) {
  std::size_t size = 0;
  for (const catalog::KeyAttribute& attribute : attributes) size += value::ValueSize(*item.Find(attribute.name));
  return size;
}

// Whether there is surely nothing wrong with the key, which is so for nearly
// every one, at the price of one look at it.
bool IsFaultless(const catalog::KeySchema& schema, MapView key) {
  const auto sum_up = [&](const std::vector<catalog::KeyAttribute>& attributes, std::size_t bytes_max) {
    std::size_t sum = 0;
    for (const catalog::KeyAttribute& attribute : attributes) {
      const std::optional<ValueView> found = key.Find(attribute.name);
      if (!found || found->type() != attribute.type) return false;
      const std::size_t bytes = attribute.type == Type::kNumber ? value::kOrderedBytesMax : found->bytes().size();
      if (bytes == 0) return false;
      sum += bytes;
    }
    return sum <= bytes_max;
  };
  return sum_up(schema.partition, base::kPartitionKeyBytesMax) && sum_up(schema.sort, base::kSortKeyBytesMax);
}

// All attributes are there.
Result<void> CheckSizes(const catalog::KeySchema& schema, MapView item) {
  Result<void> ok = value::CheckPartitionKeySize(SizeOf(schema.partition, item));
  if (ok) ok = value::CheckSortKeySize(SizeOf(schema.sort, item));
  return ok;
}

}  // namespace

Result<void> CheckKey(const catalog::KeySchema& schema, MapView key) {
  if (key.size() != schema.partition.size() + schema.sort.size()) return DoesNotMatch();
  return CheckBatchItemKey(schema, key);
}

Result<void> CheckBatchItemKey(const catalog::KeySchema& schema, MapView item) {
  if (IsFaultless(schema, item)) return {};
  Result<void> ok = ForEachKeyAttribute(schema, [&](const catalog::KeyAttribute& attribute) -> Result<void> {
    const std::optional<ValueView> value = item.Find(attribute.name);
    if (!value || value->type() != attribute.type) return DoesNotMatch();
    return {};
  });
  if (ok) ok = CheckKeyNotEmpty(schema, item);
  if (ok) ok = CheckSizes(schema, item);
  return ok;
}

Result<void> CheckItemKey(const catalog::KeySchema& schema, MapView item) {
  if (IsFaultless(schema, item)) return {};
  const Result<void> ok = ForEachKeyAttribute(schema, [&](const catalog::KeyAttribute& attribute) -> Result<void> {
    const std::optional<ValueView> found = item.Find(attribute.name);
    if (!found) {
      return ValidationError(
          fmt::format("One or more parameter values were invalid: Missing the key {} in the item", attribute.name));
    }
    if (found->type() != attribute.type) {
      return ValidationError(
          fmt::format("One or more parameter values were invalid: Type mismatch for key {} expected: {} actual: {}",
                      attribute.name, value::TypeName(attribute.type), value::TypeName(found->type())));
    }
    return value::CheckNotEmpty(attribute.name, *found);
  });
  return ok ? CheckSizes(schema, item) : ok;
}

Result<void> CheckKeyNotEmpty(const catalog::KeySchema& schema, MapView item) {
  return ForEachKeyAttribute(schema, [&](const catalog::KeyAttribute& attribute) -> Result<void> {
    const std::optional<ValueView> found = item.Find(attribute.name);
    return found ? value::CheckNotEmpty(attribute.name, *found) : Result<void>();
  });
}

}  // namespace taula::engine
