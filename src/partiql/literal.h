// The values that literals stand for.
#pragma once

#include <string_view>

#include "partiql/statement.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::partiql {

// Whether it is written as a value: a scalar, a list, a bag or a struct.
[[nodiscard]] bool IsLiteral(ExprKind kind);

// Errors tell where in the value they are, which is called "root".
[[nodiscard]] Result<Value> LiteralValue(const Statement& statement, ExprId literal);

// What a message calls an expression that cannot be a value.
[[nodiscard]] std::string_view NameOf(const Expr& expr);

}  // namespace taula::partiql
