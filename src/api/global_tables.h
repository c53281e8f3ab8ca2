// Global tables, in neither of their versions, on a server that is one region:
// those of 2017 Amazon itself makes no more, and those of 2019 need replicas.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/constraints.h"
#include "taula/error.h"

namespace taula::api {

// GlobalTableName by itself.
void CheckGlobalTableName(std::optional<std::string_view> name, Constraints& constraints);

// "DynamoDB global tables version 2017.11.29 is not supported. …".
[[nodiscard]] std::unexpected<Error> LegacyGlobalTablesNotSupported();

// "Global table with name: '…' does not exist."
[[nodiscard]] std::string GlobalTableDoesNotExist(std::string_view name);

}  // namespace taula::api
