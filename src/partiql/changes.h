// SET and REMOVE as an update.
#pragma once

#include <span>

#include "expression/update.h"
#include "partiql/tree_builder.h"
#include "taula/error.h"

namespace taula::partiql {

// Makes the checks that need no table.
[[nodiscard]] Result<expression::Update> BindChanges(TreeBuilder tree, std::span<const Change> changes);

}  // namespace taula::partiql
