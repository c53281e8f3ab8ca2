// A file system for tests, on which syncing the log can be held up or made to
// fail, and writing other files made to fail, and which knows what a power cut would leave of the log.
#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace taula::storage {

class LogFaults {
 public:
  // From now on a sync of the log waits.
  void Hold() {
    Set([this] { held_ = true; });
  }
  // Those that wait, and later ones, go on.
  void Release() {
    Set([this] { held_ = false; });
  }
  // From now on a sync of the log ends with this; OK heals the disk.
  void FailWith(rocksdb::IOStatus error) {
    Set([&] { error_ = std::move(error); });
  }
  // From now on half of what is appended to the log arrives, then this comes.
  void FailAppendsWith(rocksdb::IOStatus error) {
    Set([&] { append_error_ = std::move(error); });
  }

  // From now on writes and syncs of all files whose names have this in them, other
  // than logs, end with this.
  void FailFilesWith(const std::string& part_of_name, rocksdb::IOStatus error) {
    Set([&] { file_errors_[part_of_name] = std::move(error); });
  }

  // So often, who opens a log to read it finds that it is only partly written.
  void TearReads(int times) {
    Set([&] { torn_reads_ = times; });
  }
  bool TearsARead() {
    const std::lock_guard lock(mutex_);
    return torn_reads_ > 0 && torn_reads_-- > 0;
  }

  // Returns once a sync waits.
  void AwaitHeldSync() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0; });
  }

  rocksdb::IOStatus BeforeSync() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !held_; });
    --waiting_;
    return error_;
  }

  rocksdb::IOStatus BeforeAppend() {
    const std::lock_guard lock(mutex_);
    return append_error_;
  }

  rocksdb::IOStatus BeforeWriteOf(const std::string& file) {
    const std::lock_guard lock(mutex_);
    for (const auto& [part_of_name, error] : file_errors_) {
      if (file.find(part_of_name) != std::string::npos) return error;
    }
    return {};
  }

  void NoteSynced(const std::string& file, std::uintmax_t bytes) {
    Set([&] { synced_[file] = bytes; });
  }

  // How much of a log is safe from a power cut.
  std::uintmax_t SyncedBytes(const std::string& file) {
    const std::lock_guard lock(mutex_);
    return synced_[file];
  }

 private:
  template <typename Change>
  void Set(Change change) {
    const std::lock_guard lock(mutex_);
    change();
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool held_ = false;
  int waiting_ = 0;
  rocksdb::IOStatus error_;
  rocksdb::IOStatus append_error_;
  std::map<std::string, rocksdb::IOStatus> file_errors_;
  int torn_reads_ = 0;
  std::map<std::string, std::uintmax_t> synced_;
};

class FaultyLog final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultyLog(std::unique_ptr<rocksdb::FSWritableFile> file, std::string name, LogFaults& faults)
      : FSWritableFileOwnerWrapper(std::move(file)), name_(std::move(name)), faults_(faults) {}

  using FSWritableFileOwnerWrapper::Append;
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* context) override {
    const rocksdb::IOStatus status = faults_.BeforeAppend();
    if (status.ok()) return FSWritableFileOwnerWrapper::Append(data, options, context);
    const rocksdb::Slice half(data.data(), data.size() / 2);
    FSWritableFileOwnerWrapper::Append(half, options, context).PermitUncheckedError();
    return status;
  }

  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override {
    rocksdb::IOStatus status = faults_.BeforeSync();
    if (status.ok()) status = FSWritableFileOwnerWrapper::Sync(options, context);
    if (status.ok()) faults_.NoteSynced(name_, std::filesystem::file_size(name_));
    return status;
  }

 private:
  const std::string name_;
  LogFaults& faults_;
};

class FaultyFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultyFile(std::unique_ptr<rocksdb::FSWritableFile> file, std::string name, LogFaults& faults)
      : FSWritableFileOwnerWrapper(std::move(file)), name_(std::move(name)), faults_(faults) {}

  using FSWritableFileOwnerWrapper::Append;
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* context) override {
    rocksdb::IOStatus status = faults_.BeforeWriteOf(name_);
    return status.ok() ? FSWritableFileOwnerWrapper::Append(data, options, context) : status;
  }

  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override {
    rocksdb::IOStatus status = faults_.BeforeWriteOf(name_);
    return status.ok() ? FSWritableFileOwnerWrapper::Sync(options, context) : status;
  }

 private:
  const std::string name_;
  LogFaults& faults_;
};

class TornLog final : public rocksdb::FSSequentialFileOwnerWrapper {
 public:
  using FSSequentialFileOwnerWrapper::FSSequentialFileOwnerWrapper;

  rocksdb::IOStatus Read(std::size_t bytes, const rocksdb::IOOptions& options, rocksdb::Slice* result, char* scratch,
                         rocksdb::IODebugContext* context) override {
    rocksdb::IOStatus status = FSSequentialFileOwnerWrapper::Read(bytes, options, result, scratch, context);
    std::string torn = result->ToString();
    constexpr std::size_t kWritten = 16;
    for (std::size_t i = kWritten; i < torn.size(); ++i) torn[i] = '\0';
    torn.copy(scratch, torn.size());
    *result = rocksdb::Slice(scratch, torn.size());
    return status;
  }
};

class FaultyFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit FaultyFileSystem(LogFaults& faults,
                            const std::shared_ptr<rocksdb::FileSystem>& target = rocksdb::FileSystem::Default())
      : FileSystemWrapper(target), faults_(faults) {}

  [[nodiscard]] const char* Name() const override { return "FaultyFileSystem"; }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* context) override {
    rocksdb::IOStatus status = FileSystemWrapper::NewWritableFile(name, options, file, context);
    if (!status.ok()) return status;
    if (name.ends_with(".log")) {
      *file = std::make_unique<FaultyLog>(std::move(*file), name, faults_);
    } else {
      *file = std::make_unique<FaultyFile>(std::move(*file), name, faults_);
    }
    return status;
  }

  rocksdb::IOStatus NewSequentialFile(const std::string& name, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* context) override {
    rocksdb::IOStatus status = FileSystemWrapper::NewSequentialFile(name, options, file, context);
    if (status.ok() && name.ends_with(".log") && faults_.TearsARead()) {
      *file = std::make_unique<TornLog>(std::move(*file));
    }
    return status;
  }

 private:
  LogFaults& faults_;
};

}  // namespace taula::storage
