// The names of DynamoDB's exceptions.
#pragma once

#include <optional>
#include <string_view>

#include "taula/error.h"

namespace taula::codec {

// "ValidationException"
[[nodiscard]] std::string_view ErrorName(ErrorCode code);

// The code of a name, also of one behind a namespace as in "__type":
// "com.amazon.coral.validate#ValidationException".
[[nodiscard]] std::optional<ErrorCode> ErrorCodeNamed(std::string_view name);

}  // namespace taula::codec
