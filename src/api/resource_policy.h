// The resource policy of a table: kept as it is given, not enforced.
#pragma once

#include <optional>
#include <string_view>

#include "taula/error.h"

namespace taula::api {

// What is wrong with the text of a policy.
[[nodiscard]] std::optional<Error> FindPolicyFault(std::string_view policy);

}  // namespace taula::api
