// NextToken of ExecuteStatement: where a SELECT goes on. It means nothing to
// clients, carries all that is needed, and so is good for as long as the table
// is there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "partiql/bound_statement.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::api {

struct StatementPosition {
  std::uint32_t read = 0;         // which stretch of keys (key_plan.h)
  std::optional<Item> start_key;  // behind which item of it; nothing: from its beginning
};

[[nodiscard]] std::string EncodeToken(const StatementPosition& position, const partiql::BoundStatementPtr& statement);

// Fails for a token of another statement, or of the same one with other
// parameters. What the key is good for is not looked at.
[[nodiscard]] Result<StatementPosition> DecodeToken(std::string_view token,
                                                    const partiql::BoundStatementPtr& statement);

}  // namespace taula::api
