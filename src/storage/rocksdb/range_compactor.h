// Compacts erased ranges in the background, so that their space comes back and
// their tombstones do not slow down reads.
#pragma once

#include <rocksdb/db.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <thread>

#include "storage/store.h"

namespace taula::storage {

// Its thread runs only while there is something to do. What is not done when
// it is destroyed is left to RocksDB's own compactions.
class RangeCompactor {
 public:
  explicit RangeCompactor(rocksdb::DB& db) : db_(db) {}
  ~RangeCompactor();
  RangeCompactor(const RangeCompactor&) = delete;
  RangeCompactor& operator=(const RangeCompactor&) = delete;

  void Add(const Range& range);

 private:
  void RunThread();

  rocksdb::DB& db_;
  std::mutex mutex_;
  std::deque<Range> ranges_;
  bool running_ = false;
  std::atomic<bool> canceled_ = false;
  std::thread thread_;
};

}  // namespace taula::storage
