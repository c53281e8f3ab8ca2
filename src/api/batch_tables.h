// The table names of a batch, which are the keys of its RequestItems.
#pragma once

#include <string>
#include <string_view>

#include "api/constraints.h"

namespace taula::api {

// Whether the name could be one of a table or its ARN.
[[nodiscard]] bool IsBatchTableName(std::string_view name);

// Adds what Amazon says of a batch that has a name which could not. `echo` is
// RequestItems as JSON.
void AddBadTableName(std::string_view echo, Constraints& constraints);

}  // namespace taula::api
