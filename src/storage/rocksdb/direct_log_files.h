// The machine's files, with RocksDB's logs as DirectLog has them wherever the file
// system can. For databases that sync every write: nothing of a log reaches the
// operating system before its sync.
#pragma once

#include <rocksdb/env.h>

namespace taula::storage {

// One for all, and for ever.
[[nodiscard]] rocksdb::Env* DirectLogFiles();

}  // namespace taula::storage
