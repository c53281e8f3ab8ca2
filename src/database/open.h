// Opening a database: its store, and the engine on it. What the embedded API
// and the server have in common.
#pragma once

#include <memory>
#include <string>

#include "engine/engine.h"
#include "taula/database.h"
#include "taula/error.h"

namespace taula::database {

// `buckets` is the folder of the buckets that exports and imports use, if there is
// one.
[[nodiscard]] Result<std::unique_ptr<engine::Engine>> OpenEngine(const DatabaseOptions& options,
                                                                 std::string buckets = {});

// Copies the data folder of a database that nobody has open into a folder that
// does not exist yet. On one disk both share what they have in common.
[[nodiscard]] Result<void> CopyFolder(const std::string& from, const std::string& to);

}  // namespace taula::database
