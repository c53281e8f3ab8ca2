#include "api/value_validation.h"

#include "base/limits.h"
#include "value/size.h"

namespace taula::api {
namespace {

using Fault = std::optional<codec::ValueFault>;

// The depth is known to be within limits.
Fault FindFaultInside(ValueView value) {
  switch (value.type()) {
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      if (value.set().size() == 0) return codec::EmptySetFault(value.type());
      return std::nullopt;
    case Type::kList:
      for (const ValueView element : value.list()) {
        if (Fault fault = FindFaultInside(element)) return fault;
      }
      return std::nullopt;
    case Type::kMap:
      for (const auto& [name, attribute] : value.map()) {
        if (name.empty()) return codec::EmptyNameFault(false);
        if (name.size() > base::kAttributeNameBytesMax) return codec::LongNameFault();
        if (Fault fault = FindFaultInside(attribute)) return fault;
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

Fault FindFault(ValueView value) {
  // The value itself is the first level.
  if (value::NestingDepth(value) >= base::kNestingLevelsMax) return codec::NestingFault();
  return FindFaultInside(value);
}

Fault FindFault(const Item& item) {
  if (item.Find("")) return codec::EmptyNameFault(true);
  for (const auto& [name, value] : item.attributes()) {
    if (name.size() > base::kAttributeNameBytesMax) return codec::LongNameFault();
    if (Fault fault = FindFault(value)) return fault;
  }
  return std::nullopt;
}

}  // namespace taula::api
