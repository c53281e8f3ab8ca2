// What RocksDB is told about our data and our machine.
#pragma once

#include <rocksdb/options.h>

#include "storage/rocksdb/rocksdb_store.h"

namespace taula::storage {

// Keys that share these bytes are one partition's (codec/key_codec.h): kind,
// space and partition hash. Persisted in the filters of table files.
inline constexpr std::size_t kPrefixBytes = 9;

[[nodiscard]] rocksdb::Options TunedOptions(const RocksDbOptions& options);

}  // namespace taula::storage
