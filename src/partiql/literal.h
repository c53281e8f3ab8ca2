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

// What messages call an expression that cannot be a value: by its name if it has
// one, or by its class in PartiQL's own tree.
[[nodiscard]] std::string_view NameOf(const Expr& expr);
[[nodiscard]] std::string_view ClassOf(const Expr& expr);

}  // namespace taula::partiql
