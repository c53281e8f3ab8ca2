// The names that DynamoDB's JSON and messages use for types.
#pragma once

#include <array>
#include <string_view>

#include "taula/value.h"

namespace taula::value {

[[nodiscard]] constexpr std::string_view TypeName(Type type) {
  constexpr std::array<std::string_view, 11> kNames = {"", "NULL", "BOOL", "N", "S", "B", "SS", "NS", "BS", "L", "M"};
  return kNames[static_cast<std::size_t>(type)];
}

}  // namespace taula::value
