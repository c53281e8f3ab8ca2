#include "storage/rocksdb/group_writer.h"

#include <rocksdb/convenience.h>

#include "base/bytes.h"
#include "storage/rocksdb/folder.h"
#include "storage/rocksdb/reads.h"

namespace taula::storage {
namespace {

constexpr std::size_t kCountersKeptMax = 65536;
constexpr std::size_t kBatchBytesKeptMax = std::size_t{4} << 20;

}  // namespace

Commit GroupWriter::WriteGroup(std::span<const std::unique_ptr<PendingMutation>> group) {
  const std::lock_guard lock(mutex_);
  if (failed_) return Commit::kUnavailable;
  if (counters_.size() > kCountersKeptMax) counters_.clear();
  if (merged_.GetDataSize() > kBatchBytesKeptMax) merged_ = rocksdb::WriteBatch();
  merged_.Clear();
  deltas_.clear();
  for (const std::unique_ptr<PendingMutation>& pending : group) Merge(pending->batch);
  if (!AppendSums()) {
    counters_.clear();
    return Commit::kUnavailable;
  }
  // A group of mutations that only waited for earlier ones writes nothing.
  if (merged_.Count() == 0) return Commit::kOk;
  return Note(db_.Write(write_options_, &merged_)) == Status::kOk ? Commit::kOk : Commit::kUnknown;
}

Status GroupWriter::EraseRange(const Range& range) {
  const std::lock_guard lock(mutex_);
  if (failed_) return Status::kUnavailable;
  const rocksdb::Slice begin = range.begin;
  const rocksdb::Slice end = range.end;
  // Files that lie within the range go at once, without a compaction.
  const rocksdb::Status files_deleted =
      rocksdb::DeleteFilesInRange(&db_, db_.DefaultColumnFamily(), &begin, &end, false);
  if (!files_deleted.ok()) return ToStatus(files_deleted);
  counters_.clear();
  rocksdb::WriteOptions synced;
  synced.sync = true;
  return Note(db_.DeleteRange(synced, db_.DefaultColumnFamily(), begin, end));
}

Status GroupWriter::SyncLog() {
  const std::lock_guard lock(mutex_);
  return failed_ ? Status::kUnavailable : Note(db_.FlushWAL(true));
}

Status GroupWriter::Note(const rocksdb::Status& status) {
  if (!status.ok()) {
    failed_ = true;
    counters_.clear();
  }
  return ToStatus(status);
}

void GroupWriter::Merge(const Batch& batch) {
  batch.ForEach([&](Batch::Op op, std::string_view key, std::string_view value) {
    switch (op) {
      case Batch::Op::kPut:
        merged_.Put(key, value);
        break;
      case Batch::Op::kDelete:
        merged_.Delete(key);
        break;
      case Batch::Op::kAdd:
        deltas_[key] += base::ReadU64(value.data());
        break;
    }
  });
}

bool GroupWriter::AppendSums() {
  for (const auto& [key, delta] : deltas_) {
    const auto [counter, is_new] = counters_.try_emplace(std::string(key));
    if (is_new && !LoadCounter(counter->first, counter->second)) return false;
    counter->second += delta;
    std::string value;
    base::AppendU64(value, counter->second);
    merged_.Put(key, value);
  }
  return true;
}

bool GroupWriter::LoadCounter(const std::string& key, std::uint64_t& value) {
  std::string stored;
  const rocksdb::Status status = db_.Get({}, key, &stored);
  if (status.IsNotFound()) {
    value = 0;
    return true;
  }
  if (!status.ok() || stored.size() != sizeof(value)) return false;
  value = base::ReadU64(stored.data());
  return true;
}

// RocksDB leaves the log that failed only when it has something to move from
// memory to a file; otherwise it would append to that log again, which must not
// be: the log may end in the middle of a record, or hold a whole one that was
// never acknowledged. So it is given something, past the log. The flush that
// follows may meet the failed log once more, and then it is resuming from this
// second failure that starts a new one.
bool GroupWriter::Recover() {
  rocksdb::WriteOptions unlogged;
  unlogged.disableWAL = true;
  const std::lock_guard lock(mutex_);
  failed_ =
      !(db_.Resume().ok() && db_.Put(unlogged, kRecoveryKey, {}).ok() && (db_.Flush({}).ok() || db_.Resume().ok()));
  return !failed_;
}

}  // namespace taula::storage
