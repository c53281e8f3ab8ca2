// The table that a request on items names, by its name or its ARN.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/constraints.h"
#include "api/decode_faults.h"
#include "api/operation.h"
#include "catalog/table.h"
#include "taula/error.h"

namespace taula::api {

// Whether the name can be one of a table: checks length and characters, with
// the value in the message. `path` is that of the member.
void CheckTableName(std::string_view name, std::string_view path, Constraints& constraints);

// TableName of an operation on one table. An empty one is reported alone, ahead
// of all other members.
[[nodiscard]] Result<void> CheckTableNameNotEmpty(std::string_view name, const DecodeFaults& faults);
void CheckTableName(std::string_view name, const DecodeFaults& faults, Constraints& constraints);

void CheckIndexName(const std::optional<std::string>& name, Constraints& constraints);

// Fails with kResourceNotFoundException.
[[nodiscard]] Result<catalog::TablePtr> LookUpTable(const Context& context, std::string_view name_or_arn);

// An index of the table that can be read; null when no name is given.
[[nodiscard]] Result<const catalog::Index*> LookUpIndex(const catalog::Table& table,
                                                        const std::optional<std::string>& name);

}  // namespace taula::api
