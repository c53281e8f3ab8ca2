// States that are kept under a name: checkpoints, in folders of their own inside
// the data folder.
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/db.h>

#include <memory>
#include <string>

#include "storage/rocksdb/rocksdb_store.h"

namespace taula::storage {

// Removes what a killed process has left of states that it was saving; to be
// called when no process can be at it.
void RemoveUnfinishedStates(const std::string& data_folder);

class SavedStates {
 public:
  SavedStates(const RocksDbOptions& options, std::shared_ptr<rocksdb::Cache> cache);

  [[nodiscard]] Status Save(rocksdb::DB& db, const std::string& name) const;
  [[nodiscard]] std::unique_ptr<Reader> Open(const std::string& name) const;
  [[nodiscard]] Status Drop(const std::string& name) const;

  // Gives another data folder all that there are. One that is saved or dropped
  // meanwhile may be left out.
  [[nodiscard]] rocksdb::Status LinkTo(const std::string& data_folder) const;

 private:
  [[nodiscard]] std::string Folder(const std::string& name) const;

  const RocksDbOptions options_;
  const std::shared_ptr<rocksdb::Cache> cache_;
};

}  // namespace taula::storage
