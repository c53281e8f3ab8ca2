#include "storage/rocksdb/group_writer.h"

#include <rocksdb/convenience.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/bytes.h"
#include "base/log.h"
#include "storage/rocksdb/folder.h"
#include "storage/rocksdb/reads.h"

namespace taula::storage {
namespace {

constexpr std::size_t kCountersKeptMax = 65536;
constexpr std::size_t kBatchBytesKeptMax = std::size_t{4} << 20;
constexpr auto kFlushWait = std::chrono::seconds(10);

}  // namespace

Commit GroupWriter::WriteGroup(Group group) {
  const std::lock_guard lock(mutex_);
  if (failed_) return Commit::kUnavailable;
  if (counters_.size() > kCountersKeptMax) counters_.clear();
  if (merged_.GetDataSize() > kBatchBytesKeptMax) merged_ = rocksdb::WriteBatch();
  merged_.Clear();
  deltas_.clear();
  // Before positions are given out, for it takes one.
  if (const rocksdb::Status filled = FillMemtable(); !filled.ok()) {
    Note(filled);
    return Commit::kUnavailable;
  }
  Merge(group);
  if (!AppendSums()) {
    counters_.clear();
    return Commit::kUnavailable;
  }
  // A group of mutations that only waited for earlier ones writes nothing.
  if (merged_.Count() == 0) return Commit::kOk;
  if (Note(WriteMerged(group)) != Status::kOk) return Commit::kUnknown;
  RenewAnswers(group);
  return Commit::kOk;
}

rocksdb::Status GroupWriter::WriteMerged(Group group) {
  ReadCache::Write announced(read_cache_);
  for (const std::unique_ptr<PendingMutation>& pending : group) {
    for (PendingWrite& write : pending->writes) write.number = announced.Begin(write.key);
  }
  for (const auto& [counter, delta] : deltas_) announced.Begin(HashedKey(counter));
  return db_.Write(write_options_, &merged_);
}

// Of the values that mutations decide on; index entries are only scanned. Of several
// writes of a key only the last has a number that nothing follows.
void GroupWriter::RenewAnswers(Group group) {
  for (const std::unique_ptr<PendingMutation>& pending : group) {
    for (const PendingWrite& write : pending->writes) {
      // Who knows of no value has left none to be remembered.
      const bool replaces = write.is_read && write.had_value && write.op == Batch::Op::kPut;
      if (replaces) read_cache_.Renew(write.key, write.value, write.number);
    }
  }
}

Status GroupWriter::EraseRange(const Range& range) {
  const std::lock_guard lock(mutex_);
  if (failed_) return Status::kUnavailable;
  read_cache_.ForgetAll();
  const Status status = EraseFilesAndRest(range);
  // Once more, for those who have asked in between.
  read_cache_.ForgetAll();
  return status;
}

Status GroupWriter::EraseFilesAndRest(const Range& range) {
  const rocksdb::Slice begin = range.begin;
  const rocksdb::Slice end = range.end;
  // Files that lie within the range go at once, without a compaction.
  const rocksdb::Status files_deleted =
      rocksdb::DeleteFilesInRange(&db_, db_.DefaultColumnFamily(), &begin, &end, false);
  if (!files_deleted.ok()) {
    base::Log(base::LogLevel::kWarning, "The store cannot erase files: {}", files_deleted.ToString());
    return ToStatus(files_deleted);
  }
  counters_.clear();
  if (const rocksdb::Status filled = FillMemtable(); !filled.ok()) return Note(filled);
  rocksdb::WriteOptions synced;
  synced.sync = true;
  return Note(db_.DeleteRange(synced, db_.DefaultColumnFamily(), begin, end));
}

Status GroupWriter::SyncLog() {
  const std::lock_guard lock(mutex_);
  if (failed_) return Status::kUnavailable;
  const rocksdb::Status filled = FillMemtable();
  if (!filled.ok()) return Note(filled);
  // A write that is synced takes all before it along. Not FlushWAL: RocksDB
  // never replaces a log that failed before anything was written to it.
  rocksdb::WriteOptions synced;
  synced.sync = true;
  return Note(db_.Put(synced, kRecoveryKey, {}));
}

Status GroupWriter::Note(const rocksdb::Status& status) {
  if (!status.ok()) {
    base::Log(base::LogLevel::kError, "The store cannot write: {}; it refuses writes until it has recovered",
              status.ToString());
    failed_ = true;
    failed_recovery_said_ = false;
    restart_said_ = false;
    flush_can_be_repeated_ = false;
    counters_.clear();
  }
  return ToStatus(status);
}

void GroupWriter::Merge(Group group) {
  logged_ = 0;
  for (const std::unique_ptr<PendingMutation>& pending : group) {
    for (const PendingWrite& write : pending->writes) {
      switch (write.op) {
        case Batch::Op::kPut:
          merged_.Put(write.key.key, write.value);
          break;
        case Batch::Op::kDelete:
          merged_.Delete(write.key.key);
          break;
        case Batch::Op::kLog:
          merged_.Put(NextLogKey(write.key.key), write.value);
          break;
        case Batch::Op::kAdd:
          break;  // among the sums
      }
    }
    for (const PendingSum& sum : pending->sums) deltas_[sum.key] += sum.delta;
  }
}

// Positions are RocksDB's own sequence numbers, of which every write of the group
// will take one: they grow, are never given twice, and survive a restart.
std::string GroupWriter::NextLogKey(std::string_view prefix) {
  std::string key(prefix);
  base::AppendBigEndianU64(key, db_.GetLatestSequenceNumber() + ++logged_);
  return key;
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
  if (CheckRead(status) != Status::kOk) return false;
  if (stored.size() != sizeof(value)) {
    (void)CheckRead(rocksdb::Status::Corruption("a counter is damaged"));
    return false;
  }
  value = base::ReadU64(stored.data());
  return true;
}

// Resuming moves what is in memory to a file and starts a new log, but only if
// the active memtable holds something; otherwise RocksDB would append to the
// failed log again, or wait forever for a flush that its failure has cancelled.
// So something is there before every write.
rocksdb::Status GroupWriter::FillMemtable() {
  if (!IsMemtableEmpty()) return rocksdb::Status::OK();
  rocksdb::WriteOptions unlogged;
  unlogged.disableWAL = true;
  return db_.Put(unlogged, kRecoveryKey, {});
}

void GroupWriter::Recover() {
  const std::lock_guard lock(mutex_);
  if (!failed_) return;
  const rocksdb::Status status = TryToRecover();
  if (status.ok()) {
    failed_ = false;
    base::Log(base::LogLevel::kWarning, "The store has recovered and takes writes again");
  } else {
    SayWhyNot(status);
  }
}

// Once, and once more when it is final.
void GroupWriter::SayWhyNot(const rocksdb::Status& status) {
  const bool only_restart_helps = status.IsAborted() || IsStoppedForGood();
  if (failed_recovery_said_ && (restart_said_ || !only_restart_helps)) return;
  failed_recovery_said_ = true;
  restart_said_ = only_restart_helps;
  base::Log(base::LogLevel::kError, "The store cannot recover: {}{}", status.ToString(),
            only_restart_helps ? "; the server must be restarted to open the data folder again" : "");
}

rocksdb::Status GroupWriter::TryToRecover() {
  const bool was_empty = IsMemtableEmpty();
  const bool waiting_for_flush = Property(rocksdb::DB::Properties::kNumImmutableMemTable) > 0;
  // The memtable was changed by the very write that failed. With a flush
  // outstanding that may have been cancelled only opening the folder again helps.
  // Without, the flush here meets the failed log once more, and resuming from
  // that starts a new one.
  if (was_empty && waiting_for_flush && !flush_can_be_repeated_) {
    return rocksdb::Status::Aborted("a flush was cancelled");
  }
  rocksdb::Status status = Resume();
  if (was_empty && status.ok()) {
    status = FillMemtable();
    if (status.ok() && !db_.Flush({}).ok()) status = Resume();
  }
  return status.ok() ? AwaitFlush() : status;
}

// Resuming waits for the flush of the memtable that it has changed, so when it
// fails after that the flush has been tried, not cancelled, and can be again.
rocksdb::Status GroupWriter::Resume() {
  const bool was_empty = IsMemtableEmpty();
  rocksdb::Status status = db_.Resume();
  if (!status.ok() && !was_empty && IsMemtableEmpty()) flush_can_be_repeated_ = true;
  return status;
}

// Asked of a write of nothing, for resuming tells what it has met this time, as
// grave as it was before WriteErrorsEnd.
bool GroupWriter::IsStoppedForGood() {
  rocksdb::WriteBatch nothing;
  rocksdb::WriteOptions unlogged;
  unlogged.disableWAL = true;
  return db_.Write(unlogged, &nothing).severity() >= rocksdb::Status::Severity::kFatalError;
}

bool GroupWriter::IsMemtableEmpty() { return Property(rocksdb::DB::Properties::kNumEntriesActiveMemTable) == 0; }

// A flush that the next failure cancels would never be made up for.
rocksdb::Status GroupWriter::AwaitFlush() {
  const auto deadline = std::chrono::steady_clock::now() + kFlushWait;
  while (Property(rocksdb::DB::Properties::kNumImmutableMemTable) > 0) {
    if (std::chrono::steady_clock::now() > deadline) return rocksdb::Status::TimedOut("a flush does not end");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return rocksdb::Status::OK();
}

std::uint64_t GroupWriter::Property(const std::string& name) {
  std::uint64_t value = 0;
  db_.GetIntProperty(name, &value);
  return value;
}

}  // namespace taula::storage
