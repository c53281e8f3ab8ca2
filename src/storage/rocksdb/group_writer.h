// Writes groups of decided mutations: one atomic, logged batch a group. Owns
// the counters, whose sums it writes as plain values, so that they are exact
// and cost one write a group however many mutations add to them.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "storage/rocksdb/pending_writes.h"

namespace taula::storage {

// One thread at a time uses it, but for ForgetCounters.
class GroupWriter {
 public:
  GroupWriter(rocksdb::DB& db, bool sync) : db_(db) { write_options_.sync = sync; }

  // kOk, kUnknown or kUnavailable, for the group as a whole.
  Commit Write(std::span<const std::unique_ptr<PendingMutation>> group);

  // Tries to make RocksDB accept writes again after one has failed.
  bool Recover();

  // For those who remove counters in another way. From any thread.
  void ForgetCounters() { forget_counters_.store(true, std::memory_order_release); }

 private:
  void Merge(const Batch& batch);
  bool AppendSums();
  bool LoadCounter(const std::string& key, std::uint64_t& value);

  rocksdb::DB& db_;
  rocksdb::WriteOptions write_options_;
  rocksdb::WriteBatch merged_;
  // What the group being written adds; unsigned, so that sums wrap.
  std::unordered_map<std::string_view, std::uint64_t> deltas_;
  std::unordered_map<std::string, std::uint64_t> counters_;
  std::atomic<bool> forget_counters_ = false;
};

}  // namespace taula::storage
