// Writing to the store what the catalog keeps.
#pragma once

#include "base/function_ref.h"
#include "storage/batch.h"
#include "storage/store.h"
#include "taula/error.h"

namespace taula::catalog {

// How a mutation ended, as an answer.
[[nodiscard]] Result<void> FromCommit(storage::Commit commit);

// Durable when it returns.
[[nodiscard]] Result<void> Persist(storage::Store& store, base::FunctionRef<void(storage::Batch&)> write);

}  // namespace taula::catalog
