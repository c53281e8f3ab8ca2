// The WHERE clause as a condition.
#pragma once

#include "expression/condition.h"
#include "partiql/tree_builder.h"
#include "taula/error.h"

namespace taula::partiql {

// Makes the checks that need no table. `or_without`: an attribute; items that
// lack it fulfil the condition whatever else it says.
[[nodiscard]] Result<expression::Condition> BindWhere(TreeBuilder tree, ExprId where,
                                                      std::optional<std::string_view> or_without = std::nullopt);

}  // namespace taula::partiql
