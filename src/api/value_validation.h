// Whether values that were not read from JSON are ones that DynamoDB can keep.
// For requests made in process; a JSON reader makes these checks on its way.
#pragma once

#include "taula/error.h"
#include "taula/value.h"

namespace taula::api {

[[nodiscard]] Result<void> CheckValue(ValueView value);
// All attributes of an item or a key.
[[nodiscard]] Result<void> CheckAttributes(MapView attributes);

}  // namespace taula::api
