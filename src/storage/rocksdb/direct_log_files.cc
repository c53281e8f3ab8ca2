#include "storage/rocksdb/direct_log_files.h"

#include <rocksdb/file_system.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "storage/rocksdb/direct_log.h"

namespace taula::storage {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

// The logs that are open, by path: their files are longer than what is in them,
// and RocksDB asks the file system for their size.
class OpenLogs {
 public:
  void Add(const std::string& path, const DirectLog* log) {
    const std::lock_guard lock(mutex_);
    logs_[path] = log;
  }
  void Remove(const std::string& path, const DirectLog* log) {
    const std::lock_guard lock(mutex_);
    const auto found = logs_.find(path);
    if (found != logs_.end() && found->second == log) logs_.erase(found);
  }
  [[nodiscard]] std::optional<std::uint64_t> SyncedBytes(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    const auto found = logs_.find(path);
    return found == logs_.end() ? std::nullopt : std::optional(found->second->synced_bytes());
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, const DirectLog*> logs_;
};

class DirectLogFile final : public rocksdb::FSWritableFile {
 public:
  DirectLogFile(std::string path, std::unique_ptr<DirectLog> log, OpenLogs& open_logs)
      : path_(std::move(path)), log_(std::move(log)), open_logs_(open_logs) {
    open_logs_.Add(path_, log_.get());
  }
  ~DirectLogFile() override { open_logs_.Remove(path_, log_.get()); }

  using FSWritableFile::Append;
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& /*options*/, IODebugContext* /*context*/) override {
    return log_->Append(data);
  }
  IOStatus Flush(const IOOptions& /*options*/, IODebugContext* /*context*/) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions& /*options*/, IODebugContext* /*context*/) override { return log_->Sync(); }
  IOStatus Close(const IOOptions& /*options*/, IODebugContext* /*context*/) override {
    open_logs_.Remove(path_, log_.get());
    return log_->Close();
  }
  std::uint64_t GetFileSize(const IOOptions& /*options*/, IODebugContext* /*context*/) override { return log_->size(); }
  [[nodiscard]] bool IsSyncThreadSafe() const override { return true; }
  void PrepareWrite(std::size_t /*offset*/, std::size_t /*bytes*/, const IOOptions& /*options*/,
                    IODebugContext* /*context*/) override {}

 private:
  const std::string path_;
  const std::unique_ptr<DirectLog> log_;
  OpenLogs& open_logs_;
};

class DirectLogFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  DirectLogFileSystem() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}

  [[nodiscard]] const char* Name() const override { return "DirectLogFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* context) override {
    if (path.ends_with(".log")) {
      if (std::unique_ptr<DirectLog> log = DirectLog::Open(path)) {
        *file = std::make_unique<DirectLogFile>(path, std::move(log), open_logs_);
        return IOStatus::OK();
      }
    }
    return FileSystemWrapper::NewWritableFile(path, options, file, context);
  }

  IOStatus GetFileSize(const std::string& path, const IOOptions& options, std::uint64_t* bytes,
                       IODebugContext* context) override {
    const std::optional<std::uint64_t> synced = open_logs_.SyncedBytes(path);
    if (!synced) return FileSystemWrapper::GetFileSize(path, options, bytes, context);
    *bytes = *synced;
    return IOStatus::OK();
  }

 private:
  OpenLogs open_logs_;
};

}  // namespace

rocksdb::Env* DirectLogFiles() {
  // Never deleted: RocksDB's own threads may look at it to the end.
  static rocksdb::Env* const env = rocksdb::NewCompositeEnv(std::make_shared<DirectLogFileSystem>()).release();
  return env;
}

}  // namespace taula::storage
