// How large an item is in DynamoDB's own accounting, which decides limits and
// capacity; not how many bytes are stored.
#pragma once

#include <cstddef>

#include "taula/value.h"

namespace taula::value {

[[nodiscard]] std::size_t ValueSize(ValueView value);
// The names and values of a map, without the overhead of a nested map.
[[nodiscard]] std::size_t ItemSize(MapView attributes);
// How many lists and maps stand around a value's innermost values; 0 for a
// scalar, a set or an empty container. An item may have kNestingLevelsMax, one
// of its attributes one less.
[[nodiscard]] std::size_t NestingDepth(ValueView value);

}  // namespace taula::value
