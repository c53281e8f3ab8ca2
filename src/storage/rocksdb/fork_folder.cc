#include "storage/rocksdb/fork_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "base/log.h"
#include "base/random_id.h"
#include "storage/rocksdb/checkpoint.h"
#include "storage/rocksdb/unsynced_files.h"

namespace taula::storage {
namespace {

constexpr std::size_t kWriteBufferBytes = std::size_t{8} << 20;
// A log that is longer is brought into a table file first, once for all forks that
// follow; a shorter one each fork replays for itself.
constexpr std::uint64_t kLogBytesCopiedMax = std::uint64_t{1} << 20;

void Remove(const std::string& folder) {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  if (error) base::Log(base::LogLevel::kWarning, "{} cannot be removed: {}", folder, error.message());
}

// Of a log that is being written only as much as it holds: what follows is zeros.
void CopyBeginning(const std::filesystem::path& from, const std::filesystem::path& to, std::uint64_t bytes,
                   std::error_code& error) {
  std::string beginning(bytes, '\0');
  std::ifstream source(from, std::ios::binary);
  std::ofstream copy(to, std::ios::binary);
  source.read(beginning.data(), static_cast<std::streamsize>(bytes));
  copy.write(beginning.data(), source.gcount()).flush();
  if (source.gcount() != static_cast<std::streamsize>(bytes) || !copy)
    error = std::make_error_code(std::errc::io_error);
}

// A file of the database as it is at this moment.
rocksdb::Status Take(const rocksdb::LiveFileStorageInfo& file, const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path from = fs::path(file.directory) / file.relative_filename;
  const fs::path to = fs::path(folder) / file.relative_filename;
  std::error_code error;
  if (!file.replacement_contents.empty()) {
    std::ofstream(to, std::ios::binary) << file.replacement_contents;
    if (fs::file_size(to, error) != file.size) return rocksdb::Status::IOError(to.string(), "cannot be written");
  } else if (file.trim_to_size) {
    CopyBeginning(from, to, file.size, error);
  } else {
    fs::create_hard_link(from, to, error);
    if (error) fs::copy_file(from, to, error);
  }
  return error ? rocksdb::Status::IOError(to.string(), error.message()) : rocksdb::Status::OK();
}

}  // namespace

std::string ForksFolder(const std::string& data_folder) {
  return (std::filesystem::path(data_folder) / "forks").string();
}

void RemoveForks(const std::string& data_folder) { Remove(ForksFolder(data_folder)); }

ForkFolder::ForkFolder(const std::string& forks_folder)
    : path_((std::filesystem::path(forks_folder) / base::UuidV4()).string()) {}

// As RocksDB's own checkpoints are made, but without a sync of each file.
rocksdb::Status ForkFolder::Fill(rocksdb::DB& db) const {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error) return rocksdb::Status::IOError(path_, error.message());
  rocksdb::Status status = db.DisableFileDeletions();
  if (!status.ok()) return status;
  std::vector<rocksdb::LiveFileStorageInfo> files;
  rocksdb::LiveFilesStorageInfoOptions options;
  options.wal_size_for_flush = kLogBytesCopiedMax;
  status = OnceTheLogIsReadable([&] { return db.GetLiveFilesStorageInfo(options, &files); });
  for (std::size_t i = 0; status.ok() && i < files.size(); ++i) status = Take(files[i], path_);
  db.EnableFileDeletions(false).PermitUncheckedError();
  return status;
}

ForkFolder::~ForkFolder() { Remove(path_); }

RocksDbOptions ForkOptions(const RocksDbOptions& origin, const std::string& path) {
  RocksDbOptions options = origin;
  options.path = path;
  options.env = UnsyncedFiles();
  options.durability = Durability::kRelaxed;
  options.write_buffer_bytes = std::min(origin.write_buffer_bytes, kWriteBufferBytes);
  return options;
}

}  // namespace taula::storage
