// From the text of a PartiQL statement to its tree.
#pragma once

#include <string_view>

#include "partiql/statement.h"
#include "taula/error.h"

namespace taula::partiql {

// Errors are Amazon's: "Statement wasn't well formed, can't be processed: …".
[[nodiscard]] Result<StatementPtr> Parse(std::string_view text);

}  // namespace taula::partiql
