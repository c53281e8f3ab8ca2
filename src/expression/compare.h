// How values compare.
#pragma once

#include <compare>

#include "taula/value.h"

namespace taula::expression {

// Whether values of a type have an order: S, N and B.
[[nodiscard]] inline bool HasOrder(Type type) {
  return type == Type::kString || type == Type::kNumber || type == Type::kBinary;
}

[[nodiscard]] inline bool IsSet(Type type) {
  return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet;
}

// The order of two values of one type that has an order.
[[nodiscard]] inline std::strong_ordering Compare(ValueView a, ValueView b) {
  if (a.type() == Type::kNumber) return a.ordered_number() <=> b.ordered_number();
  return a.bytes() <=> b.bytes();
}

// contains(): a substring, an element of a set or of a list.
[[nodiscard]] bool Contains(ValueView container, ValueView part);

// begins_with(), for strings and binaries.
[[nodiscard]] inline bool BeginsWith(ValueView whole, ValueView prefix) {
  return whole.type() == prefix.type() && (whole.type() == Type::kString || whole.type() == Type::kBinary) &&
         whole.bytes().starts_with(prefix.bytes());
}

}  // namespace taula::expression
