// The checks of operands that need to know what placeholders stand for. Each
// answers Amazon's message, without "Invalid <kind>: ", or nothing.
#pragma once

#include <optional>
#include <string>

#include "expression/bound_syntax.h"
#include "taula/value.h"

namespace taula::expression {

using Problem = std::optional<std::string>;

// One comparison or function of a condition, with all below it: number of
// operands, then operands that must differ, then types.
[[nodiscard]] Problem CheckConditionLeaf(const BoundSyntax& bound, NodeId leaf);

// The functions and the arithmetic of a value that SET assigns.
[[nodiscard]] Problem CheckAssigned(const BoundSyntax& bound, NodeId assigned);

// The type that an operand has whatever the item is; nothing for paths.
[[nodiscard]] std::optional<Type> StaticTypeOf(const BoundSyntax& bound, NodeId operand);

}  // namespace taula::expression
