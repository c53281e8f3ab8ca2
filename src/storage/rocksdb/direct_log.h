// A log file whose syncs are short. An ordinary file grows with every write, so
// that each sync writes the data, the file's new size and a flush, one after the
// other. This one is filled with zeros ahead of what is written, in the
// background; a write then only replaces bytes of a file that is there already,
// past the operating system's cache, and is on the disk when it returns.
//
// What has been synced ends with zeros until the log is closed, which cuts them
// off. RocksDB's reader of logs passes over zeros.
#pragma once

#include <rocksdb/io_status.h>
#include <rocksdb/slice.h>

#include <cstdint>
#include <memory>
#include <string>

namespace taula::storage {

class DirectLog {
 public:
  // Makes the file, or empties it. Nothing where the file system has no such
  // files; the caller then takes an ordinary one.
  [[nodiscard]] static std::unique_ptr<DirectLog> Open(const std::string& path);
  // Leaves the file as a crash would unless it was closed.
  ~DirectLog();
  DirectLog(const DirectLog&) = delete;
  DirectLog& operator=(const DirectLog&) = delete;

  // Nothing reaches the file before Sync, unless it is more than a megabyte.
  rocksdb::IOStatus Append(const rocksdb::Slice& data);
  rocksdb::IOStatus Sync();
  // Writes what is left and ends the file where the data ends. After a failed
  // write nothing more is written, and it ends where it was last synced.
  rocksdb::IOStatus Close();

  // What was appended, and of that what the disk has. From any thread.
  [[nodiscard]] std::uint64_t size() const;
  [[nodiscard]] std::uint64_t synced_bytes() const;

 private:
  class File;

  explicit DirectLog(std::shared_ptr<File> file);

  // Shared with whoever writes zeros.
  const std::shared_ptr<File> file_;
};

}  // namespace taula::storage
