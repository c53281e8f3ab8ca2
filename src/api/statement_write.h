// INSERT, UPDATE, DELETE and EXISTS as actions of the engine.
#pragma once

#include <cstdint>

#include "catalog/table.h"
#include "engine/write.h"
#include "partiql/bound_statement.h"
#include "taula/error.h"
#include "taula/requests.h"

namespace taula::api {

// The action refers to the statement. What is wrong with the item or the key
// fails a statement that stands alone; in a transaction it is left to the checks
// that those have (write_checks.h).
enum class WritePlace : std::uint8_t { kAlone, kInTransaction };

[[nodiscard]] Result<engine::WriteAction> PrepareStatementWrite(catalog::TablePtr table,
                                                                const partiql::BoundStatement& statement,
                                                                ReturnOnConditionFailure return_on_condition_failure,
                                                                WritePlace place);

// The error of a write, as its statement has it: an INSERT that found an item
// says so.
[[nodiscard]] Error AsStatementError(Error error, const partiql::BoundStatement& statement);
// The same for why it cancelled a transaction.
[[nodiscard]] CancellationReason AsStatementReason(CancellationReason reason, const partiql::BoundStatement& statement);

}  // namespace taula::api
