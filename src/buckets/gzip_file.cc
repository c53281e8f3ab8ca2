#include "buckets/gzip_file.h"

#include <cerrno>
#include <utility>

#include "buckets/bucket.h"

namespace taula::buckets {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{64} << 10;
constexpr int kGzipWindowBits = 15 + 16;
constexpr int kMemoryLevel = 8;
// Half again as fast as zlib's own choice, and hardly larger for JSON.
constexpr int kLevel = 4;

}  // namespace

GzipFile::GzipFile(Descriptor file, std::string name)
    : file_(std::move(file)), name_(std::move(name)), buffer_(kBufferBytes) {
  ready_ = deflateInit2(&stream_, kLevel, Z_DEFLATED, kGzipWindowBits, kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK;
}

GzipFile::~GzipFile() {
  if (ready_) deflateEnd(&stream_);
}

Outcome<void> GzipFile::Deflate(std::string_view bytes, int flush) {
  if (!ready_) return SystemFailure(ENOMEM, name_);
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream_.avail_in = static_cast<uInt>(bytes.size());
  do {
    stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
    stream_.avail_out = static_cast<uInt>(buffer_.size());
    deflate(&stream_, flush);
    const std::string_view ready(buffer_.data(), buffer_.size() - stream_.avail_out);
    md5_.Add(ready);
    bytes_ += ready.size();
    if (auto written = WriteAll(file_, ready, name_); !written) return written;
  } while (stream_.avail_out == 0);
  return {};
}

Outcome<void> GzipFile::Finish() {
  if (auto rest = Deflate("", Z_FINISH); !rest) return rest;
  return Sync(file_, name_);
}

}  // namespace taula::buckets
