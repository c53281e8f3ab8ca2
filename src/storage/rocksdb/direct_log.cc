#include "storage/rocksdb/direct_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <stop_token>
#include <thread>
#include <utility>

namespace taula::storage {
namespace {

using rocksdb::IOStatus;

// Past the operating system's cache a file is written in whole blocks, from
// memory that begins like them. All common disks have blocks of this size or of
// a part of it.
constexpr std::size_t kBlockBytes = 4096;
constexpr std::size_t kBufferBytesMin = std::size_t{64} << 10;
constexpr std::size_t kBufferBytesMax = std::size_t{1} << 20;

// Zeros are written this many at a time, since others wait for the file
// meanwhile, for as long as there are less than that many ahead of the data.
constexpr std::size_t kZerosBytes = std::size_t{128} << 10;
constexpr std::uint64_t kAheadBytes = std::uint64_t{2} << 20;
// A file that grows is written to by nobody else meanwhile, and growing takes longer
// than writing. So it grows by more than is written at a time, and without being
// written. Newer kernels then let data and zeros go side by side.
constexpr std::uint64_t kGrowthBytes = std::uint64_t{4} << 20;

constexpr std::uint64_t RoundedUp(std::uint64_t bytes) { return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes; }

IOStatus Failure(const std::string& path, const char* what, int error) {
  const std::string reason = std::string("While ") + what + ": " + std::strerror(error);
  return error == ENOSPC || error == EDQUOT ? IOStatus::NoSpace(path, reason) : IOStatus::IOError(path, reason);
}

// Memory that begins at a block, all of it zeros.
class Blocks {
 public:
  explicit Blocks(std::size_t bytes) : data_(new (std::align_val_t(kBlockBytes)) char[bytes]()), bytes_(bytes) {}
  ~Blocks() { operator delete[](data_, std::align_val_t(kBlockBytes)); }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  void swap(Blocks& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }
  [[nodiscard]] char* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  char* data_;
  std::size_t bytes_;
};

// Zero when all was written.
int WriteAt(int descriptor, const char* data, std::size_t bytes, std::uint64_t offset) {
  while (bytes > 0) {
    const ssize_t written = ::pwrite(descriptor, data, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    data += written;
    bytes -= static_cast<std::size_t>(written);
    offset += static_cast<std::uint64_t>(written);
  }
  return 0;
}

// The thread that writes zeros for all logs, from the first one on.
class ZeroWriter {
 public:
  static ZeroWriter& OfThisProcess() {
    // Never deleted: stores may be open to the very end of the process.
    static ZeroWriter& writer = *new ZeroWriter;
    return writer;
  }

  void Add(std::function<void()> work) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(work));
    }
    added_.notify_one();
  }

 private:
  void Run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (added_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
      const std::function<void()> work = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      work();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any added_;
  std::deque<std::function<void()>> waiting_;
  std::jthread thread_{[this](const std::stop_token& stop) { Run(stop); }};
};

}  // namespace

class DirectLog::File : public std::enable_shared_from_this<File> {
 public:
  File(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor), buffer_(kBufferBytesMin) {}
  ~File() { EndDescriptor(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  IOStatus Append(rocksdb::Slice data) {
    const std::lock_guard lock(mutex_);
    while (!data.empty()) {
      if (buffered_ == buffer_.bytes() && !GrowBuffer()) {
        if (IOStatus written = WriteBuffer(); !written.ok()) return written;
      }
      const std::size_t taken = std::min(data.size(), buffer_.bytes() - buffered_);
      std::memcpy(buffer_.data() + buffered_, data.data(), taken);
      buffered_ += taken;
      data.remove_prefix(taken);
      size_.fetch_add(taken, std::memory_order_relaxed);
    }
    return IOStatus::OK();
  }

  IOStatus Sync() {
    const std::lock_guard lock(mutex_);
    return WriteBuffer();
  }

  IOStatus Close() {
    const std::lock_guard lock(mutex_);
    if (descriptor_ < 0) return IOStatus::OK();
    IOStatus status = WriteBuffer();
    EndZeros();
    if (::ftruncate(descriptor_, static_cast<off_t>(synced_bytes())) != 0 && status.ok()) {
      status = Failure(path_, "cutting off the end of the log", errno);
    }
    EndDescriptor();
    return status;
  }

  // Whether it could.
  bool WriteFirstZeros() {
    const std::lock_guard lock(zeros_mutex_);
    const Blocks zeros(kBlockBytes);
    if (WriteAt(descriptor_, zeros.data(), zeros.bytes(), 0) != 0) return false;
    filled_to_ = kBlockBytes;
    return true;
  }

  // No more of them are begun. Returns once none are on their way.
  void EndZeros() {
    std::unique_lock lock(zeros_mutex_);
    zeros_wanted_ = false;
    zeros_written_.wait(lock, [this] { return !zeros_on_their_way_; });
  }

  // If there are too few.
  void BeginZeros(std::uint64_t data_end) {
    {
      const std::lock_guard lock(zeros_mutex_);
      if (!zeros_wanted_ || zeros_scheduled_ || data_end + kAheadBytes <= filled_to_) return;
      zeros_scheduled_ = true;
    }
    ZeroWriter::OfThisProcess().Add([self = shared_from_this()] { self->WriteZeros(); });
  }

  [[nodiscard]] std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t synced_bytes() const { return synced_.load(std::memory_order_relaxed); }

 private:
  bool GrowBuffer() {
    if (buffer_.bytes() >= kBufferBytesMax) return false;
    Blocks larger(2 * buffer_.bytes());
    std::memcpy(larger.data(), buffer_.data(), buffered_);
    buffer_.swap(larger);
    return true;
  }

  // Up to the end of the last block, behind whose data there are zeros. What is in
  // that block stays in the buffer, to be written again with what follows.
  IOStatus WriteBuffer() {
    if (!failure_.ok() || synced_bytes() == size()) return failure_;
    const std::size_t bytes = RoundedUp(buffered_);
    std::memset(buffer_.data() + buffered_, 0, bytes - buffered_);
    ReachTo(buffer_offset_ + bytes);
    if (const int error = WriteAt(descriptor_, buffer_.data(), bytes, buffer_offset_); error != 0) {
      failure_ = Failure(path_, "writing the log", error);
      return failure_;
    }
    synced_.store(size(), std::memory_order_relaxed);
    const std::size_t rest = buffered_ % kBlockBytes;
    std::memmove(buffer_.data(), buffer_.data() + buffered_ - rest, rest);
    buffer_offset_ += buffered_ - rest;
    buffered_ = rest;
    BeginZeros(buffer_offset_);
    return IOStatus::OK();
  }

  // Data and zeros never meet: where zeros are on their way to, data waits.
  void ReachTo(std::uint64_t end) {
    std::unique_lock lock(zeros_mutex_);
    zeros_written_.wait(lock, [&] { return end <= filled_to_ || !zeros_on_their_way_; });
    filled_to_ = std::max(filled_to_, end);
  }

  void WriteZeros() {
    static const Blocks& zeros = *new Blocks(kZerosBytes);
    std::unique_lock lock(zeros_mutex_);
    while (zeros_wanted_ && synced_bytes() + kAheadBytes > filled_to_) {
      zeros_on_their_way_ = true;
      const std::uint64_t begin = filled_to_;
      lock.unlock();
      GrowFor(begin + zeros.bytes());
      const int error = WriteAt(descriptor_, zeros.data(), zeros.bytes(), begin);
      lock.lock();
      zeros_on_their_way_ = false;
      // A disk that is full is the next write's to find.
      if (error == 0) filled_to_ = begin + zeros.bytes();
      zeros_wanted_ = zeros_wanted_ && error == 0;
      zeros_written_.notify_all();
    }
    zeros_scheduled_ = false;
  }

  void GrowFor(std::uint64_t end) {
    if (end <= grown_to_) return;
    const std::uint64_t begin = std::exchange(grown_to_, end + kGrowthBytes);
    // Where that is not known or there is no room, the zeros make it grow.
    (void)::fallocate(descriptor_, 0, static_cast<off_t>(begin), static_cast<off_t>(grown_to_ - begin));
  }

  void EndDescriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

  const std::string path_;
  int descriptor_;

  std::mutex mutex_;  // of writing
  IOStatus failure_;  // after which nothing is written any more
  Blocks buffer_;     // what the file has from buffer_offset_ on
  std::size_t buffered_ = 0;
  std::uint64_t buffer_offset_ = 0;
  std::atomic<std::uint64_t> size_ = 0;
  std::atomic<std::uint64_t> synced_ = 0;

  std::mutex zeros_mutex_;  // of all below; taken last
  std::condition_variable zeros_written_;
  bool zeros_wanted_ = true;
  bool zeros_scheduled_ = false;
  bool zeros_on_their_way_ = false;
  std::uint64_t filled_to_ = 0;  // with data or zeros
  std::uint64_t grown_to_ = 0;   // known to the writer of zeros alone
};

std::unique_ptr<DirectLog> DirectLog::Open(const std::string& path) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_TRUNC | O_DIRECT | O_DSYNC | O_CLOEXEC;
  const int descriptor = ::open(path.c_str(), kFlags, 0644);
  if (descriptor < 0) return nullptr;
  auto file = std::make_shared<File>(path, descriptor);
  // Some file systems say only now that they cannot, or have larger blocks.
  if (!file->WriteFirstZeros()) return nullptr;
  file->BeginZeros(0);
  return std::unique_ptr<DirectLog>(new DirectLog(std::move(file)));
}

DirectLog::DirectLog(std::shared_ptr<File> file) : file_(std::move(file)) {}
DirectLog::~DirectLog() { file_->EndZeros(); }

IOStatus DirectLog::Append(const rocksdb::Slice& data) { return file_->Append(data); }
IOStatus DirectLog::Sync() { return file_->Sync(); }
IOStatus DirectLog::Close() { return file_->Close(); }
std::uint64_t DirectLog::size() const { return file_->size(); }
std::uint64_t DirectLog::synced_bytes() const { return file_->synced_bytes(); }

}  // namespace taula::storage
