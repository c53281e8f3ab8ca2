// Checkpoints: copies of a database in a folder of their own. Table files are
// never changed once they are written, so a checkpoint is made of links to them
// and takes no space until the original has replaced them.
#pragma once

#include <rocksdb/db.h>

#include <string>

#include "base/function_ref.h"

namespace taula::storage {

// For all that lists a database's files: RocksDB reads the first record of a new
// log meanwhile, which looks damaged while only a part of it has been written.
[[nodiscard]] rocksdb::Status OnceTheLogIsReadable(base::FunctionRef<rocksdb::Status()> list_files);

// With everything that has been written. `folder` must not exist, the one above
// it is made. What it is for, such as "A state", begins the line in the log when
// it fails.
[[nodiscard]] rocksdb::Status MakeCheckpoint(rocksdb::DB& db, const std::string& folder, const char* what);

}  // namespace taula::storage
