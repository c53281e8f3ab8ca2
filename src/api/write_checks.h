// What is wrong with a write as one of its table: the checks that all operations
// share once their requests are read.
#pragma once

#include <optional>
#include <vector>

#include "catalog/table.h"
#include "engine/write.h"
#include "expression/update.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::api {

[[nodiscard]] Result<void> CheckPut(const catalog::Table& table, const Item& item);
[[nodiscard]] Result<void> CheckUpdate(const catalog::Table& table, const Item& key,
                                       const std::optional<expression::Update>& update);

// The actions of a transaction. Empty keys fail the request; all else fails the
// action, which is noted in it. Actions that are noted as invalid already stay
// so.
[[nodiscard]] Result<void> CheckTransactionWrites(std::vector<engine::WriteAction>& actions);

}  // namespace taula::api
