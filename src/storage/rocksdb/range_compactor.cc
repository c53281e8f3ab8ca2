#include "storage/rocksdb/range_compactor.h"

namespace taula::storage {

RangeCompactor::~RangeCompactor() {
  canceled_ = true;
  if (thread_.joinable()) thread_.join();
}

void RangeCompactor::Add(const Range& range) {
  const std::lock_guard lock(mutex_);
  ranges_.push_back(range);
  if (running_) return;
  // The thread before has seen an empty queue and takes no lock any more.
  if (thread_.joinable()) thread_.join();
  running_ = true;
  thread_ = std::thread(&RangeCompactor::RunThread, this);
}

void RangeCompactor::RunThread() {
  while (true) {
    Range range;
    {
      const std::lock_guard lock(mutex_);
      if (ranges_.empty() || canceled_) {
        running_ = false;
        return;
      }
      range = std::move(ranges_.front());
      ranges_.pop_front();
    }
    const rocksdb::Slice begin = range.begin;
    const rocksdb::Slice end = range.end;
    rocksdb::CompactRangeOptions options;
    options.exclusive_manual_compaction = false;
    options.canceled = &canceled_;
    // When it fails, reads are slower and nothing is wrong.
    db_.CompactRange(options, &begin, range.end.empty() ? nullptr : &end).PermitUncheckedError();
  }
}

}  // namespace taula::storage
