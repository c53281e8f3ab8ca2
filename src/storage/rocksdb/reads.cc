#include "storage/rocksdb/reads.h"

#include <atomic>
#include <chrono>

#include "base/log.h"
#include "storage/rocksdb/tuning.h"

namespace taula::storage {
namespace {

// A scan this long asks the disk ahead; a shorter one would read more than it
// takes.
constexpr std::size_t kLongScanItems = 1024;
constexpr std::size_t kReadaheadBytes = std::size_t{256} << 10;

constexpr std::chrono::seconds kLogPause(5);

}  // namespace

bool IsWithinOnePrefix(const Range& range) {
  if (range.begin.size() < kPrefixBytes || range.end.empty()) return false;
  const std::string_view prefix = std::string_view(range.begin).substr(0, kPrefixBytes);
  if (range.end.starts_with(prefix)) return true;
  // Or the end is the very next prefix: one more in the last byte that is not
  // FF, and nothing behind it.
  const std::size_t last = prefix.find_last_not_of('\xff');
  return last != std::string_view::npos && range.end.size() == last + 1 &&
         range.end.compare(0, last, prefix, 0, last) == 0 &&
         static_cast<unsigned char>(range.end[last]) == static_cast<unsigned char>(prefix[last]) + 1;
}

Status ToStatus(const rocksdb::Status& status) {
  if (status.ok() || status.IsNotFound()) return Status::kOk;
  return status.IsCorruption() ? Status::kCorrupt : Status::kUnavailable;
}

Status CheckRead(const rocksdb::Status& status) {
  using Clock = std::chrono::steady_clock;
  static std::atomic<Clock::duration> next_line = Clock::duration::min();
  static std::atomic<std::uint64_t> unsaid = 0;
  const Status result = ToStatus(status);
  if (result == Status::kOk) return result;
  const Clock::duration now = Clock::now().time_since_epoch();
  Clock::duration due = next_line.load(std::memory_order_relaxed);
  if (now >= due && next_line.compare_exchange_strong(due, now + kLogPause)) {
    base::Log(base::LogLevel::kError, "The store cannot read: {} ({} more such errors were not logged)",
              status.ToString(), unsaid.exchange(0));
  } else {
    ++unsaid;
  }
  return result;
}

Status GetFrom(rocksdb::DB& db, const rocksdb::ReadOptions& read_options, std::string_view key,
               base::FunctionRef<void(std::string_view value)> found) {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db.Get(read_options, db.DefaultColumnFamily(), key, &value);
  if (status.ok()) found({value.data(), value.size()});
  return CheckRead(status);
}

Status ScanFrom(rocksdb::DB& db, const rocksdb::Snapshot* snapshot, const Range& range, const ScanOptions& options,
                base::FunctionRef<bool(std::string_view key, std::string_view value)> visit) {
  if (!range.end.empty() && range.begin >= range.end) return Status::kOk;
  const rocksdb::Slice begin = range.begin;
  const rocksdb::Slice end = range.end;
  rocksdb::ReadOptions read_options;
  read_options.snapshot = snapshot;
  if (options.reverse) read_options.iterate_lower_bound = &begin;
  if (!range.end.empty()) read_options.iterate_upper_bound = &end;
  // Where all keys share a prefix, a seek may skip the files whose filters do not
  // know it. Backwards, it starts from the end, which may have another one.
  const bool by_prefix = !options.reverse && IsWithinOnePrefix(range);
  read_options.total_order_seek = !by_prefix;
  read_options.prefix_same_as_start = by_prefix;
  if (options.items_max >= kLongScanItems) read_options.readahead_size = kReadaheadBytes;

  const std::unique_ptr<rocksdb::Iterator> at(db.NewIterator(read_options));
  if (options.reverse) {
    at->SeekToLast();
  } else {
    at->Seek(begin);
  }
  std::size_t visited = 0;
  while (at->Valid() && visit(at->key().ToStringView(), at->value().ToStringView())) {
    if (++visited == options.items_max) break;
    if (options.reverse) {
      at->Prev();
    } else {
      at->Next();
    }
  }
  return CheckRead(at->status());
}

}  // namespace taula::storage
