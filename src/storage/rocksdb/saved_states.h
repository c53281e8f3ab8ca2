// States that are kept under a name: RocksDB's checkpoints, in folders of their
// own inside the data folder. Table files are never changed once they are
// written, so a checkpoint is made of links to them and takes no space until the
// present has replaced them.
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/db.h>

#include <memory>
#include <string>

#include "storage/rocksdb/rocksdb_store.h"

namespace taula::storage {

class SavedStates {
 public:
  SavedStates(const RocksDbOptions& options, std::shared_ptr<rocksdb::Cache> cache);

  [[nodiscard]] Status Save(rocksdb::DB& db, const std::string& name) const;
  [[nodiscard]] std::unique_ptr<Reader> Open(const std::string& name) const;
  [[nodiscard]] Status Drop(const std::string& name) const;

 private:
  [[nodiscard]] std::string Folder(const std::string& name) const;

  const RocksDbOptions options_;
  const std::shared_ptr<rocksdb::Cache> cache_;
};

}  // namespace taula::storage
