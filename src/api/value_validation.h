// What is wrong with values that were not read from JSON. For requests made in
// process; a JSON reader makes these checks on its way.
#pragma once

#include <optional>

#include "codec/value_fault.h"
#include "taula/value.h"

namespace taula::api {

[[nodiscard]] std::optional<codec::ValueFault> FindFault(ValueView value);
// Of the attributes of an item or a key.
[[nodiscard]] std::optional<codec::ValueFault> FindFault(const Item& item);

}  // namespace taula::api
