#include "api/key_validation.h"

#include <fmt/format.h>

#include "base/function_ref.h"
#include "base/limits.h"
#include "value/size.h"
#include "value/type_name.h"

namespace taula::api {
namespace {

constexpr std::string_view kEmptyKeyPrefix = "One or more parameter values are not valid. ";

std::unexpected<Error> DoesNotMatch() { return ValidationError("The provided key element does not match the schema"); }

Result<void> CheckNotEmpty(const catalog::KeyAttribute& attribute, ValueView value) {
  const bool is_text = value.type() == Type::kString;
  if ((!is_text && value.type() != Type::kBinary) || !value.bytes().empty()) return {};
  return ValidationError(
      fmt::format("{}The AttributeValue for a key attribute cannot contain an empty {} value. Key: {}", kEmptyKeyPrefix,
                  is_text ? "string" : "binary", attribute.name));
}

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

// All attributes are there.
Result<void> CheckSizes(const catalog::KeySchema& schema, MapView item) {
  if (SizeOf(schema.partition, item) > base::kPartitionKeyBytesMax) {
    return ValidationError(
        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes");
  }
  if (SizeOf(schema.sort, item) > base::kSortKeyBytesMax) {
    return ValidationError(
        "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of "
        "1024 bytes");
  }
  return {};
}

}  // namespace

Result<void> CheckKey(const catalog::KeySchema& schema, MapView key) {
  if (key.size() != schema.partition.size() + schema.sort.size()) return DoesNotMatch();
  return CheckBatchItemKey(schema, key);
}

Result<void> CheckBatchItemKey(const catalog::KeySchema& schema, MapView item) {
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
  const Result<void> ok = ForEachKeyAttribute(schema, [&](const catalog::KeyAttribute& attribute) -> Result<void> {
    const std::optional<ValueView> value = item.Find(attribute.name);
    if (!value) {
      return ValidationError(
          fmt::format("One or more parameter values were invalid: Missing the key {} in the item", attribute.name));
    }
    if (value->type() != attribute.type) {
      return ValidationError(
          fmt::format("One or more parameter values were invalid: Type mismatch for key {} expected: {} actual: {}",
                      attribute.name, value::TypeName(attribute.type), value::TypeName(value->type())));
    }
    return CheckNotEmpty(attribute, *value);
  });
  return ok ? CheckSizes(schema, item) : ok;
}

Result<void> CheckKeyNotEmpty(const catalog::KeySchema& schema, MapView item) {
  return ForEachKeyAttribute(schema, [&](const catalog::KeyAttribute& attribute) -> Result<void> {
    const std::optional<ValueView> value = item.Find(attribute.name);
    return value ? CheckNotEmpty(attribute, *value) : Result<void>();
  });
}

bool IsEmptyKeyError(const Error& error) { return error.message.starts_with(kEmptyKeyPrefix); }

}  // namespace taula::api
