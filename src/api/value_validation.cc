#include "api/value_validation.h"

#include "base/limits.h"
#include "value/size.h"

namespace taula::api {
namespace {

Result<void> CheckContent(ValueView value);

Result<void> CheckMap(MapView map) {
  for (const auto& [name, value] : map) {
    if (name.empty()) return ValidationError("Empty attribute name");
    if (Result<void> ok = CheckContent(value); !ok) return ok;
  }
  return {};
}

// The depth is known to be within limits.
Result<void> CheckContent(ValueView value) {
  switch (value.type()) {
    case Type::kStringSet:
      if (value.set().size() > 0) return {};
      return ValidationError("One or more parameter values were invalid: An string set  may not be empty");
    case Type::kNumberSet:
      if (value.set().size() > 0) return {};
      return ValidationError("One or more parameter values were invalid: An number set  may not be empty");
    case Type::kBinarySet:
      if (value.set().size() > 0) return {};
      return ValidationError("One or more parameter values were invalid: Binary sets should not be empty");
    case Type::kList:
      for (const ValueView element : value.list()) {
        if (Result<void> ok = CheckContent(element); !ok) return ok;
      }
      return {};
    case Type::kMap:
      return CheckMap(value.map());
    default:
      return {};
  }
}

}  // namespace

Result<void> CheckValue(ValueView value) {
  // The value itself is the first level.
  if (value::NestingDepth(value) >= base::kNestingLevelsMax) {
    return ValidationError(
        "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported "
        "limit");
  }
  return CheckContent(value);
}

Result<void> CheckAttributes(MapView attributes) {
  for (const auto& [name, value] : attributes) {
    if (name.empty()) return ValidationError("Empty attribute name");
    if (Result<void> ok = CheckValue(value); !ok) return ok;
  }
  return {};
}

}  // namespace taula::api
