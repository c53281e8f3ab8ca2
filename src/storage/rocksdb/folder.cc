#include "storage/rocksdb/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/bytes.h"
#include "base/log.h"
#include "storage/rocksdb/checksum.h"
#include "storage/rocksdb/tuning.h"

namespace taula::storage {
namespace {

std::string OneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string WhyNotOpened(const std::string& path, const rocksdb::Status& status) {
  const std::string reason = OneLine(status.ToString());
  const auto says = [&](const char* words) { return reason.find(words) != std::string::npos; };
  // RocksDB has no code of its own for this. Linux's words for another process
  // that holds the lock, and RocksDB's for this one.
  if (says("/LOCK") && (says("Resource temporarily unavailable") || says("No locks available"))) {
    return fmt::format("the data folder {} is in use by another process", path);
  }
  if (status.IsNoSpace()) return fmt::format("the disk of the data folder {} is full", path);
  if (status.IsCorruption()) return fmt::format("the data folder {} is damaged: {}", path, reason);
  if (status.IsIOError()) return fmt::format("the data folder {} cannot be read and written: {}", path, reason);
  return fmt::format("the data folder {} cannot be opened: {}", path, reason);
}

std::expected<void, std::string> MakeFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return std::unexpected(fmt::format("the data folder {} cannot be made: {}", path, error.message()));
  if (!std::filesystem::is_directory(path, error)) {
    return std::unexpected(fmt::format("the data folder {} is not a folder", path));
  }
  return {};
}

bool IsEmpty(rocksdb::DB& db) {
  const std::unique_ptr<rocksdb::Iterator> all(db.NewIterator({}));
  all->SeekToFirst();
  return !all->Valid() && all->status().ok();
}

rocksdb::Status WriteFormatVersion(rocksdb::DB& db) {
  std::string version;
  base::AppendU32(version, kFormatVersion);
  rocksdb::WriteOptions synced;
  synced.sync = true;
  return db.Put(synced, kFormatVersionKey, version);
}

std::expected<void, std::string> CheckFormatVersion(const std::string& path, rocksdb::DB& db) {
  std::string stored;
  rocksdb::Status status = db.Get({}, kFormatVersionKey, &stored);
  if (status.IsNotFound()) {
    if (!IsEmpty(db)) {
      return std::unexpected(fmt::format("the data folder {} holds a RocksDB database of another program", path));
    }
    status = WriteFormatVersion(db);
    if (status.ok()) return {};
  }
  if (!status.ok()) return std::unexpected(WhyNotOpened(path, status));
  if (stored.size() != sizeof(std::uint32_t)) {
    return std::unexpected(fmt::format("the data folder {} is damaged: its format version is not a number", path));
  }
  const std::uint32_t version = base::ReadU32(stored.data());
  if (version > kFormatVersion) {
    return std::unexpected(fmt::format(
        "the data folder {} was written by a newer version of taula (format {}; this one knows formats up to {})", path,
        version, kFormatVersion));
  }
  return {};
}

}  // namespace

std::expected<std::unique_ptr<rocksdb::DB>, std::string> OpenFolder(const RocksDbOptions& options,
                                                                    const std::shared_ptr<rocksdb::Cache>& cache) {
  if (auto made = MakeFolder(options.path); !made) return std::unexpected(std::move(made.error()));
  base::Log(base::LogLevel::kDebug, "Checksums of {}: {}", options.path, ChecksumMethod());
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(TunedOptions(options, cache), options.path, &opened);
  std::unique_ptr<rocksdb::DB> db(opened);
  if (!status.ok()) return std::unexpected(WhyNotOpened(options.path, status));
  if (auto checked = CheckFormatVersion(options.path, *db); !checked)
    return std::unexpected(std::move(checked.error()));
  return db;
}

}  // namespace taula::storage
