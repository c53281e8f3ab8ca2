// What is wrong with a write as one of its table: the checks that all operations
// share once their requests are read.
#pragma once

#include <optional>

#include "catalog/table.h"
#include "engine/transaction.h"
#include "expression/update.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::api {

[[nodiscard]] Result<void> CheckPut(const catalog::Table& table, const Item& item);
[[nodiscard]] Result<void> CheckUpdate(const catalog::Table& table, const Item& key,
                                       const std::optional<expression::Update>& update);

// The actions of a transaction. Empty keys fail the request; all else fails the
// action, which is noted in it. Actions that are noted as invalid already stay
// so. The keys that it takes to find an item that is named twice stay in the
// transaction.
[[nodiscard]] Result<void> CheckTransactionWrites(engine::Transaction& transaction);

}  // namespace taula::api
