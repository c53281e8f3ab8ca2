// Opening a database: its store, and the engine on it. What the embedded API
// and the server have in common.
#pragma once

#include <memory>

#include "engine/engine.h"
#include "taula/database.h"
#include "taula/error.h"

namespace taula::database {

[[nodiscard]] Result<std::unique_ptr<engine::Engine>> OpenEngine(const DatabaseOptions& options);

}  // namespace taula::database
