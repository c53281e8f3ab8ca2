// How table files are read: in RocksDB's own format, with filters and indexes in
// the cache. A file that is opened while there is little data holds its own there
// and finds them without looking; with much data that would leave no room for
// what is asked for.
#pragma once

#include <rocksdb/table.h>

#include <functional>
#include <memory>

namespace taula::storage {

// `has_little_data` is asked whenever a file is opened, by any thread.
std::shared_ptr<rocksdb::TableFactory> MakeTableFiles(const rocksdb::BlockBasedTableOptions& options,
                                                      std::function<bool()> has_little_data);

}  // namespace taula::storage
