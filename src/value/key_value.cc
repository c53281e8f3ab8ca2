#include "value/key_value.h"

#include <fmt/format.h>

#include "base/limits.h"

namespace taula::value {
namespace {

constexpr std::string_view kNotValid = "One or more parameter values are not valid. ";

}  // namespace

bool IsEmpty(ValueView value) {
  return (value.type() == Type::kString || value.type() == Type::kBinary) && value.bytes().empty();
}

std::string EmptyKeyMessage(ValueView value, std::string_view circumstance) {
  return fmt::format("{}{}The AttributeValue for a key attribute cannot contain an empty {} value.", kNotValid,
                     circumstance, value.type() == Type::kString ? "string" : "binary");
}

bool IsEmptyKeyError(const Error& error) { return error.message.starts_with(kNotValid); }

Result<void> CheckNotEmpty(std::string_view attribute, ValueView value) {
  if (!IsEmpty(value)) return {};
  return ValidationError(fmt::format("{} Key: {}", EmptyKeyMessage(value, ""), attribute));
}

Result<void> CheckPartitionKeySize(std::size_t size) {
  if (size <= base::kPartitionKeyBytesMax) return {};
  // The missing space is Amazon's.
  return ValidationError(
      fmt::format("One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of{} "
                  "bytes",
                  base::kPartitionKeyBytesMax));
}

Result<void> CheckSortKeySize(std::size_t size) {
  if (size <= base::kSortKeyBytesMax) return {};
  return ValidationError(
      fmt::format("One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size "
                  "limit of {} bytes",
                  base::kSortKeyBytesMax));
}

}  // namespace taula::value
