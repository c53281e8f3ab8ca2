#include "storage/rocksdb/checkpoint.h"

#include <rocksdb/utilities/checkpoint.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>

#include "base/log.h"

namespace taula::storage {
namespace {

constexpr int kTriesMax = 3;
// Longer than most disks take for one write.
constexpr auto kPause = std::chrono::milliseconds(20);

}  // namespace

rocksdb::Status OnceTheLogIsReadable(base::FunctionRef<rocksdb::Status()> list_files) {
  rocksdb::Status status = list_files();
  for (int tries = 1; status.IsCorruption() && tries < kTriesMax; ++tries) {
    std::this_thread::sleep_for(kPause);
    status = list_files();
  }
  return status;
}

rocksdb::Status MakeCheckpoint(rocksdb::DB& db, const std::string& folder, const char* what) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(folder).parent_path(), error);
  rocksdb::Checkpoint* made = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(&db, &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (status.ok()) status = OnceTheLogIsReadable([&] { return checkpoint->CreateCheckpoint(folder); });
  if (!status.ok()) base::Log(base::LogLevel::kError, "{} cannot be saved: {}", what, status.ToString());
  return status;
}

}  // namespace taula::storage
