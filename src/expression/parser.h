// From the text of an expression to its syntax tree.
#pragma once

#include <string>
#include <string_view>

#include "expression/syntax.h"
#include "taula/error.h"

namespace taula::expression {

// Parses and makes every check that needs no placeholder: syntax, limits,
// redundant parentheses, function names and places, reserved words. Errors are
// Amazon's, with the "Invalid <kind>: " in front.
[[nodiscard]] Result<SyntaxPtr> Parse(ExpressionKind kind, std::string_view text);

// "Invalid <kind>: <message>".
[[nodiscard]] std::unexpected<Error> InvalidExpression(ExpressionKind kind, std::string_view message);

}  // namespace taula::expression
