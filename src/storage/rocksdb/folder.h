// Opening the folder: RocksDB's files, the format version, and words for a
// person when it does not work.
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/db.h>

#include <expected>
#include <memory>
#include <string>

#include "storage/rocksdb/rocksdb_store.h"

namespace taula::storage {

// The version of everything this program writes into the folder
// (docs/formats.md). A folder with a higher one is refused.
inline constexpr std::uint32_t kFormatVersion = 1;

// The store's own keys, apart from everybody's data.
inline const Range kOwnKeys{"V", "W"};

// Where the folder keeps its version: a 32-bit little-endian integer.
// Persisted: do not change.
inline constexpr char kFormatVersionKey[] = "Vformat";
// Written only to have something in the memtable (GroupWriter::FillMemtable).
inline constexpr char kRecoveryKey[] = "Vrecovery";

[[nodiscard]] std::expected<std::unique_ptr<rocksdb::DB>, std::string> OpenFolder(
    const RocksDbOptions& options, const std::shared_ptr<rocksdb::Cache>& cache);

}  // namespace taula::storage
