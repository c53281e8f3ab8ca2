// Everything that goes to RocksDB's log goes through here, one after the other:
// above all groups of decided mutations, one atomic batch a group. Owns the
// counters, whose sums it writes as plain values, so that they are exact and
// cost one write a group however many mutations add to them.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "storage/rocksdb/pending_writes.h"
#include "storage/rocksdb/read_cache.h"

namespace taula::storage {

// After a failure everything is refused until Recover succeeds: the log that
// failed must not be touched again.
class GroupWriter {
 public:
  GroupWriter(rocksdb::DB& db, ReadCache& read_cache, bool sync) : db_(db), read_cache_(read_cache) {
    write_options_.sync = sync;
  }

  using Group = std::span<const std::unique_ptr<PendingMutation>>;

  // kOk, kUnknown or kUnavailable, for the group as a whole.
  Commit WriteGroup(Group group);

  // Removes a range, durably, and forgets the counters in it.
  Status EraseRange(const Range& range);

  // Brings the log to the disk.
  Status SyncLog();

  // Tries to make RocksDB accept writes again; failed() tells whether it does.
  void Recover();

  [[nodiscard]] bool failed() const { return failed_.load(std::memory_order_acquire); }

 private:
  void Merge(Group group);
  std::string NextLogKey(std::string_view prefix);
  bool AppendSums();
  rocksdb::Status WriteMerged(Group group);
  void RenewAnswers(Group group);
  Status EraseFilesAndRest(const Range& range);
  bool LoadCounter(const std::string& key, std::uint64_t& value);

  rocksdb::Status FillMemtable();
  rocksdb::Status TryToRecover();
  rocksdb::Status Resume();
  void SayWhyNot(const rocksdb::Status& status);
  bool IsMemtableEmpty();
  bool IsStoppedForGood();
  rocksdb::Status AwaitFlush();
  std::uint64_t Property(const std::string& name);
  // Notes a failure, and says so in the log when it is the first.
  Status Note(const rocksdb::Status& status);

  rocksdb::DB& db_;
  ReadCache& read_cache_;
  std::mutex mutex_;                  // of everything below
  std::atomic<bool> failed_ = false;  // written inside the lock, also read outside
  // Since the failure.
  bool failed_recovery_said_ = false;
  bool restart_said_ = false;
  bool flush_can_be_repeated_ = false;
  rocksdb::WriteOptions write_options_;
  rocksdb::WriteBatch merged_;
  std::uint64_t logged_ = 0;  // values in it that are logged
  // What the group being written adds; unsigned, so that sums wrap.
  std::unordered_map<std::string_view, std::uint64_t> deltas_;
  std::unordered_map<std::string, std::uint64_t> counters_;
};

}  // namespace taula::storage
