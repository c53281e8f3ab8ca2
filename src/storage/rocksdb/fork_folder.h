// The folders of forks, inside the data folder of the store that they began
// with, and of forks' forks beside them. A fork is its process's alone: its
// folder goes when it is closed, and what a killed process has left goes when the
// data folder is opened again.
#pragma once

#include <rocksdb/db.h>

#include <string>

#include "storage/rocksdb/rocksdb_store.h"

namespace taula::storage {

// Where the forks of a store are whose data folder this is.
[[nodiscard]] std::string ForksFolder(const std::string& data_folder);

// Removes all forks; to be called when no process can have any.
void RemoveForks(const std::string& data_folder);

// The name of a folder for a new fork, which Fill makes. Its end removes the
// folder.
class ForkFolder {
 public:
  explicit ForkFolder(const std::string& forks_folder);
  ~ForkFolder();
  ForkFolder(const ForkFolder&) = delete;
  ForkFolder& operator=(const ForkFolder&) = delete;

  // With everything that has been written to `db`: links to its table files, and
  // copies of the small rest.
  [[nodiscard]] rocksdb::Status Fill(rocksdb::DB& db) const;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// How a fork is opened: with little memory, for there may be many, and without
// waiting for the disk, which has nothing to keep.
[[nodiscard]] RocksDbOptions ForkOptions(const RocksDbOptions& origin, const std::string& path);

}  // namespace taula::storage
