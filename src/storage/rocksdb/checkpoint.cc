#include "storage/rocksdb/checkpoint.h"

#include <rocksdb/utilities/checkpoint.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "base/log.h"

namespace taula::storage {

rocksdb::Status MakeCheckpoint(rocksdb::DB& db, const std::string& folder, const char* what) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(folder).parent_path(), error);
  rocksdb::Checkpoint* made = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(&db, &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (status.ok()) status = checkpoint->CreateCheckpoint(folder);
  if (!status.ok()) base::Log(base::LogLevel::kError, "{} cannot be saved: {}", what, status.ToString());
  return status;
}

}  // namespace taula::storage
