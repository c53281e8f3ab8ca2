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

// As RocksDB names a checkpoint until it is whole.
bool IsUnfinished(const std::filesystem::path& state) { return state.extension() == ".tmp"; }

bool IsGone(const std::error_code& error) { return error == std::errc::no_such_file_or_directory; }

// Links only what the file system lets have one more link; the rest is copied.
std::error_code LinkOrCopyFolder(const std::filesystem::path& from, const std::filesystem::path& to) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::create_hard_links, error);
  if (!error || IsGone(error)) return error;
  fs::remove_all(to, error);
  if (!error) fs::copy(from, to, fs::copy_options::recursive, error);
  return error;
}

// Of a state that is dropped meanwhile nothing is left.
rocksdb::Status LinkState(const std::filesystem::path& state, const std::filesystem::path& folder) {
  const std::filesystem::path copy = folder / state.filename();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) error = LinkOrCopyFolder(state, copy);
  if (!error) return rocksdb::Status::OK();
  std::error_code not_removed;
  std::filesystem::remove_all(copy, not_removed);
  if (IsGone(error) && !not_removed) return rocksdb::Status::OK();
  return rocksdb::Status::IOError(copy.string(), error.message());
}

}  // namespace

void RemoveUnfinishedStates(const std::string& data_folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::directory_iterator state(fs::path(data_folder) / kStatesFolder, error), end; !error && state != end;
       state.increment(error)) {
    if (IsUnfinished(state->path())) fs::remove_all(state->path(), error);
  }
  if (error && !IsGone(error)) {
    base::Log(base::LogLevel::kWarning, "Unfinished states in {} cannot be removed: {}", data_folder, error.message());
  }
}

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

rocksdb::Status SavedStates::LinkTo(const std::string& data_folder) const {
  namespace fs = std::filesystem;
  const fs::path to = fs::path(data_folder) / kStatesFolder;
  std::error_code error;
  for (fs::directory_iterator state(fs::path(options_.path) / kStatesFolder, error), end; !error && state != end;
       state.increment(error)) {
    if (IsUnfinished(state->path())) continue;
    if (rocksdb::Status linked = LinkState(state->path(), to); !linked.ok()) return linked;
  }
  return error && !IsGone(error) ? rocksdb::Status::IOError("The saved states", error.message())
                                 : rocksdb::Status::OK();
}

}  // namespace taula::storage
