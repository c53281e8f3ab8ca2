// The durable store, on RocksDB, in one folder of one machine. docs/storage.md
// tells how it writes, what survives which accident, and what the folder holds.
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <string>

#include "storage/store.h"
#include "taula/durability.h"

namespace rocksdb {
class Env;
}

namespace taula::storage {

struct RocksDbOptions {
  std::string path;  // made if it does not exist, with its parents
  Durability durability = Durability::kSync;

  // Blocks, their indexes and filters, and what is written but not yet in a
  // table file, all together.
  std::size_t cache_bytes = std::size_t{256} << 20;
  // The part of it that writes may take.
  std::size_t write_buffer_bytes = std::size_t{64} << 20;

  // What may wait for its commit. A thread whose mutation comes when either is
  // reached waits for room, before it takes any lock; a mutation made inside
  // Done does not wait, for it is Done's thread that makes the room.
  std::size_t queue_bytes_max = std::size_t{64} << 20;
  std::size_t queue_mutations_max = 65536;

  // Where files are; for tests that make them fail.
  rocksdb::Env* env = nullptr;
};

// Opens the store or says in one line why not. Closing it (its destructor)
// completes every mutation it has taken; snapshots must be gone by then, and
// so must other threads' calls.
//
// When a write fails, its mutation and all those it was committed with end with
// kUnknown, and what was decided on top of them with kUnavailable; so does
// everything later, until RocksDB accepts writes again, which the store makes it
// try time and again. Reads go on. The log says why, and when it is over.
//
// Keys that begin with 'V' belong to the store itself.
[[nodiscard]] std::expected<std::unique_ptr<Store>, std::string> OpenRocksDb(const RocksDbOptions& options);

// Copies the store in a folder that nobody has open, with its saved states, into
// one that does not exist yet; or says in one line why not. On one disk the two
// share what they have in common.
[[nodiscard]] std::expected<void, std::string> CopyRocksDb(const std::string& from, const std::string& to);

}  // namespace taula::storage
