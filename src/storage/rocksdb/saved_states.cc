#include "storage/rocksdb/saved_states.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/log.h"
#include "storage/rocksdb/checkpoint.h"
#include "storage/rocksdb/reads.h"
#include "storage/rocksdb/tuning.h"

namespace taula::storage {
namespace {

constexpr const char* kStatesFolder = "states";

// A state has few readers and none that come back, so it keeps few files open.
constexpr int kOpenFilesMax = 64;

class SavedState final : public Reader {
 public:
  explicit SavedState(std::unique_ptr<rocksdb::DB> db) : db_(std::move(db)) {}

  Status Get(std::string_view key, base::FunctionRef<void(std::string_view value)> found) const override {
    return GetFrom(*db_, Once(), key, found);
  }
  Status Scan(const Range& range, const ScanOptions& options,
              base::FunctionRef<bool(std::string_view key, std::string_view value)> visit) const override {
    return ScanFrom(*db_, nullptr, range, options, visit);
  }

 private:
  // Its blocks would push out those of the present.
  static rocksdb::ReadOptions Once() {
    rocksdb::ReadOptions options;
    options.fill_cache = false;
    return options;
  }

  const std::unique_ptr<rocksdb::DB> db_;
};

}  // namespace

SavedStates::SavedStates(const RocksDbOptions& options, std::shared_ptr<rocksdb::Cache> cache)
    : options_(options), cache_(std::move(cache)) {}

std::string SavedStates::Folder(const std::string& name) const {
  return (std::filesystem::path(options_.path) / kStatesFolder / name).string();
}

Status SavedStates::Save(rocksdb::DB& db, const std::string& name) const {
  return ToStatus(MakeCheckpoint(db, Folder(name), "A state"));
}

std::unique_ptr<Reader> SavedStates::Open(const std::string& name) const {
  std::error_code error;
  if (!std::filesystem::is_directory(Folder(name), error)) return nullptr;
  rocksdb::Options options = TunedOptions(options_, cache_);
  options.create_if_missing = false;
  options.max_open_files = kOpenFilesMax;
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(options, Folder(name), &opened);
  std::unique_ptr<rocksdb::DB> db(opened);
  if (!status.ok()) {
    base::Log(base::LogLevel::kError, "A saved state cannot be opened: {}", status.ToString());
    return nullptr;
  }
  return std::make_unique<SavedState>(std::move(db));
}

Status SavedStates::Drop(const std::string& name) const {
  std::error_code error;
  std::filesystem::remove_all(Folder(name), error);
  if (!error) return Status::kOk;
  base::Log(base::LogLevel::kError, "A saved state cannot be removed: {}", error.message());
  return Status::kUnavailable;
}

void SavedStates::LinkTo(const std::string& data_folder) const {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path to = fs::path(data_folder) / kStatesFolder;
  for (fs::directory_iterator state(fs::path(options_.path) / kStatesFolder, error), end; !error && state != end;
       state.increment(error)) {
    fs::create_directories(to, error);
    const fs::path copy = to / state->path().filename();
    constexpr fs::copy_options kAll = fs::copy_options::recursive | fs::copy_options::overwrite_existing;
    fs::copy(state->path(), copy, kAll | fs::copy_options::create_hard_links, error);
    if (error == std::errc::cross_device_link) fs::copy(state->path(), copy, kAll, error);
    if (error) fs::remove_all(copy, error);
  }
}

}  // namespace taula::storage
