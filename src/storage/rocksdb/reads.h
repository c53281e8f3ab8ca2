// Reading from RocksDB: point reads without a copy, and scans that are kept
// inside their range.
#pragma once

#include <rocksdb/db.h>

#include "storage/store.h"

namespace taula::storage {

[[nodiscard]] Status ToStatus(const rocksdb::Status& status);

// The same for what a read has ended with: an error goes to the log, at most
// one every few seconds, for there may be as many as there are requests.
[[nodiscard]] Status CheckRead(const rocksdb::Status& status);

// Whether all keys of the range, and its begin, share the bytes that make a
// partition.
[[nodiscard]] bool IsWithinOnePrefix(const Range& range);

Status GetFrom(rocksdb::DB& db, const rocksdb::ReadOptions& read_options, std::string_view key,
               base::FunctionRef<void(std::string_view value)> found);
// With a snapshot of `db`, or of its newest state when that is nullptr.
Status ScanFrom(rocksdb::DB& db, const rocksdb::Snapshot* snapshot, const Range& range, const ScanOptions& options,
                base::FunctionRef<bool(std::string_view key, std::string_view value)> visit);

// One state of `db`, which must live longer.
class RocksDbSnapshot final : public Reader {
 public:
  explicit RocksDbSnapshot(rocksdb::DB& db) : db_(db), snapshot_(db.GetSnapshot()) {}
  ~RocksDbSnapshot() override { db_.ReleaseSnapshot(snapshot_); }
  RocksDbSnapshot(const RocksDbSnapshot&) = delete;
  RocksDbSnapshot& operator=(const RocksDbSnapshot&) = delete;

  Status Get(std::string_view key, base::FunctionRef<void(std::string_view value)> found) const override {
    rocksdb::ReadOptions read_options;
    read_options.snapshot = snapshot_;
    return GetFrom(db_, read_options, key, found);
  }
  Status Scan(const Range& range, const ScanOptions& options,
              base::FunctionRef<bool(std::string_view key, std::string_view value)> visit) const override {
    return ScanFrom(db_, snapshot_, range, options, visit);
  }

 private:
  rocksdb::DB& db_;
  const rocksdb::Snapshot* const snapshot_;
};

}  // namespace taula::storage
