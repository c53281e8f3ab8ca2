#include "storage/rocksdb/unsynced_files.h"

#include <rocksdb/file_system.h>

#include <memory>
#include <string>
#include <utility>

namespace taula::storage {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

class UnsyncedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;

  IOStatus Sync(const IOOptions& /*options*/, IODebugContext* /*context*/) override { return IOStatus::OK(); }
  IOStatus Fsync(const IOOptions& /*options*/, IODebugContext* /*context*/) override { return IOStatus::OK(); }
  IOStatus RangeSync(std::uint64_t /*offset*/, std::uint64_t /*bytes*/, const IOOptions& /*options*/,
                     IODebugContext* /*context*/) override {
    return IOStatus::OK();
  }
};

class UnsyncedFolder final : public rocksdb::FSDirectoryWrapper {
 public:
  using FSDirectoryWrapper::FSDirectoryWrapper;

  IOStatus Fsync(const IOOptions& /*options*/, IODebugContext* /*context*/) override { return IOStatus::OK(); }
  IOStatus FsyncWithDirOptions(const IOOptions& /*options*/, IODebugContext* /*context*/,
                               const rocksdb::DirFsyncOptions& /*more*/) override {
    return IOStatus::OK();
  }
};

class UnsyncedFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  UnsyncedFileSystem() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}

  [[nodiscard]] const char* Name() const override { return "UnsyncedFileSystem"; }

  IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* context) override {
    return Wrap(FileSystemWrapper::NewWritableFile(name, options, file, context), file);
  }
  IOStatus ReopenWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* context) override {
    return Wrap(FileSystemWrapper::ReopenWritableFile(name, options, file, context), file);
  }
  IOStatus NewDirectory(const std::string& name, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* folder, IODebugContext* context) override {
    IOStatus status = FileSystemWrapper::NewDirectory(name, options, folder, context);
    if (status.ok()) *folder = std::make_unique<UnsyncedFolder>(std::move(*folder));
    return status;
  }

 private:
  static IOStatus Wrap(IOStatus status, std::unique_ptr<rocksdb::FSWritableFile>* file) {
    if (status.ok()) *file = std::make_unique<UnsyncedFile>(std::move(*file));
    return status;
  }
};

}  // namespace

rocksdb::Env* UnsyncedFiles() {
  // Never deleted: RocksDB's own threads may look at it to the end.
  static rocksdb::Env* const env = rocksdb::NewCompositeEnv(std::make_shared<UnsyncedFileSystem>()).release();
  return env;
}

}  // namespace taula::storage
