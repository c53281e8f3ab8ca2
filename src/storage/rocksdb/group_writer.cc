#include "storage/rocksdb/group_writer.h"

#include "base/bytes.h"

namespace taula::storage {
namespace {

constexpr std::size_t kCountersKeptMax = 65536;
constexpr std::size_t kBatchBytesKeptMax = std::size_t{4} << 20;

}  // namespace

Commit GroupWriter::Write(std::span<const std::unique_ptr<PendingMutation>> group) {
  if (forget_counters_.exchange(false, std::memory_order_acquire) || counters_.size() > kCountersKeptMax) {
    counters_.clear();
  }
  merged_.Clear();
  deltas_.clear();
  for (const std::unique_ptr<PendingMutation>& pending : group) Merge(pending->batch);
  if (!AppendSums()) {
    counters_.clear();
    return Commit::kUnavailable;
  }
  // A group of mutations that only waited for earlier ones writes nothing.
  if (merged_.Count() == 0) return Commit::kOk;
  const rocksdb::Status status = db_.Write(write_options_, &merged_);
  if (merged_.GetDataSize() > kBatchBytesKeptMax) merged_ = rocksdb::WriteBatch();
  if (status.ok()) return Commit::kOk;
  counters_.clear();
  return Commit::kUnknown;
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

bool GroupWriter::Recover() {
  if (!db_.Resume().ok()) return false;
  // The log may still hold the write that failed. Once the memtable is in a
  // file, the log before it is never replayed.
  return db_.Flush({}).ok();
}

}  // namespace taula::storage
