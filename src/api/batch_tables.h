// What BatchGetItem and BatchWriteItem share: the names of their tables, which
// are the keys of RequestItems, and what is handed back.
#pragma once

#include <string>
#include <string_view>

#include "api/constraints.h"
#include "taula/error.h"

namespace taula::api {

// Whether the name could be one of a table or its ARN.
[[nodiscard]] bool IsBatchTableName(std::string_view name);

// Adds what Amazon says of a batch that has a name which could not. `echo` is
// RequestItems as JSON.
void AddBadTableName(std::string_view echo, Constraints& constraints);

// Whether a client may send what failed with this once more as it is, so that a
// batch hands it back.
[[nodiscard]] bool IsTransient(const Error& error);

}  // namespace taula::api
