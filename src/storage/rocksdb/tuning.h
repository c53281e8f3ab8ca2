// What RocksDB is told about our data and our machine.
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/options.h>

#include <memory>

#include "storage/rocksdb/rocksdb_store.h"

namespace taula::storage {

// Keys that share these bytes are one partition's (codec/key_codec.h): kind,
// space and partition hash. Persisted in the filters of table files.
inline constexpr std::size_t kPrefixBytes = 9;

// `cache` is for blocks, their indexes and filters, and for memtables.
[[nodiscard]] rocksdb::Options TunedOptions(const RocksDbOptions& options,
                                            const std::shared_ptr<rocksdb::Cache>& cache);

}  // namespace taula::storage
