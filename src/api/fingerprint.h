// Tells whether two transactions with one token ask for the same.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "partiql/bound_statement.h"
#include "taula/requests.h"

namespace taula::api {

// A hash over all that the transaction does; what it wants to be told does not
// count, nor the order of placeholders.
[[nodiscard]] std::string Fingerprint(const std::vector<TransactWriteAction>& actions);

// The same over statements with their parameters, in order.
[[nodiscard]] std::string Fingerprint(std::span<const partiql::BoundStatementPtr> statements);

}  // namespace taula::api
