// Files that are never synced, for databases that need not survive their process:
// opening one waits for the disk a dozen times otherwise.
#pragma once

#include <rocksdb/env.h>

namespace taula::storage {

// The machine's files otherwise. One for all, and for ever.
[[nodiscard]] rocksdb::Env* UnsyncedFiles();

}  // namespace taula::storage
