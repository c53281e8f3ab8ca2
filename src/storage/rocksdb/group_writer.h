// Everything that goes to RocksDB's log goes through here, one after the other:
// above all groups of decided mutations, one atomic batch a group. Owns the
// counters, whose sums it writes as plain values, so that they are exact and
// cost one write a group however many mutations add to them.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "storage/rocksdb/pending_writes.h"

namespace taula::storage {

// After a failure everything is refused until Recover succeeds: the log that
// failed must not be touched again.
class GroupWriter {
 public:
  GroupWriter(rocksdb::DB& db, bool sync) : db_(db) { write_options_.sync = sync; }

  // kOk, kUnknown or kUnavailable, for the group as a whole.
  Commit WriteGroup(std::span<const std::unique_ptr<PendingMutation>> group);

  // Removes a range, durably, and forgets the counters in it.
  Status EraseRange(const Range& range);

  // Brings the log to the disk.
  Status SyncLog();

  // Tries to make RocksDB accept writes again.
  bool Recover();

 private:
  void Merge(const Batch& batch);
  bool AppendSums();
  bool LoadCounter(const std::string& key, std::uint64_t& value);

  bool FillMemtable();
  bool FlushEnds();
  std::uint64_t Property(const std::string& name);
  // Notes a failure.
  Status Note(const rocksdb::Status& status);

  rocksdb::DB& db_;
  std::mutex mutex_;  // of everything below
  bool failed_ = false;
  rocksdb::WriteOptions write_options_;
  rocksdb::WriteBatch merged_;
  // What the group being written adds; unsigned, so that sums wrap.
  std::unordered_map<std::string_view, std::uint64_t> deltas_;
  std::unordered_map<std::string, std::uint64_t> counters_;
};

}  // namespace taula::storage
