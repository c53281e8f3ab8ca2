#include "buckets/byte_source.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <utility>
#include <vector>

namespace taula::buckets {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{64} << 10;

class PlainSource final : public ByteSource {
 public:
  PlainSource(Descriptor file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}

  Outcome<std::size_t> Read(std::span<char> into) override {
    while (true) {
      const ssize_t bytes = read(file_.number(), into.data(), into.size());
      if (bytes >= 0) return static_cast<std::size_t>(bytes);
      if (errno != EINTR) return SystemFailure(errno, name_);
    }
  }

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  Descriptor file_;
  std::string name_;
};

// What the two compressed kinds share: a buffer of what has been read and not
// yet taken.
class CompressedSource : public ByteSource {
 public:
  CompressedSource(Descriptor file, std::string name)
      : file_(std::move(file), std::move(name)), buffer_(kBufferBytes) {}

 protected:
  // Reads more when nothing is left. False at the end of the file.
  Outcome<bool> Fill() {
    if (begin_ < end_) return true;
    const Outcome<std::size_t> bytes = file_.Read(buffer_);
    if (!bytes) return std::unexpected(bytes.error());
    begin_ = 0;
    end_ = *bytes;
    return *bytes > 0;
  }
  [[nodiscard]] std::span<const char> rest() const { return std::span(buffer_).subspan(begin_, end_ - begin_); }
  void Take(std::size_t bytes) { begin_ += bytes; }

  [[nodiscard]] std::unexpected<Failure> Malformed(std::string_view kind) const {
    return FailWith(kMalformed, fmt::format("{} is not a whole {} file", file_.name(), kind));
  }

 private:
  PlainSource file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// One gzip member or several, one behind the other.
class GzipSource final : public CompressedSource {
 public:
  GzipSource(Descriptor file, std::string name) : CompressedSource(std::move(file), std::move(name)) {
    constexpr int kGzipWindowBits = 15 + 16;
    ready_ = inflateInit2(&stream_, kGzipWindowBits) == Z_OK;
  }
  ~GzipSource() override {
    if (ready_) inflateEnd(&stream_);
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  Outcome<std::size_t> Read(std::span<char> into) override {
    if (!ready_) return SystemFailure(ENOMEM, "gzip");
    while (true) {
      const Outcome<bool> more = Fill();
      if (!more) return std::unexpected(more.error());
      if (!*more) return inside_ ? Outcome<std::size_t>(Malformed("gzip")) : 0;
      const std::span<const char> in = rest();
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
      stream_.avail_in = static_cast<uInt>(in.size());
      stream_.next_out = reinterpret_cast<Bytef*>(into.data());
      stream_.avail_out = static_cast<uInt>(into.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      Take(in.size() - stream_.avail_in);
      inside_ = status != Z_STREAM_END;
      if (status == Z_STREAM_END) {
        inflateReset(&stream_);
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        return Malformed("gzip");
      }
      const std::size_t bytes = into.size() - stream_.avail_out;
      if (bytes > 0) return bytes;
    }
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
  bool inside_ = false;  // of a member
};

class ZstdSource final : public CompressedSource {
 public:
  ZstdSource(Descriptor file, std::string name)
      : CompressedSource(std::move(file), std::move(name)), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {}

  Outcome<std::size_t> Read(std::span<char> into) override {
    if (stream_ == nullptr) return SystemFailure(ENOMEM, "zstd");
    while (true) {
      const Outcome<bool> more = Fill();
      if (!more) return std::unexpected(more.error());
      if (!*more && !full_) return inside_ ? Outcome<std::size_t>(Malformed("zstd")) : 0;
      const std::span<const char> left = rest();
      ZSTD_inBuffer in{left.data(), left.size(), 0};
      ZSTD_outBuffer out{into.data(), into.size(), 0};
      const std::size_t status = ZSTD_decompressStream(stream_.get(), &out, &in);
      Take(in.pos);
      if (ZSTD_isError(status) != 0) return Malformed("zstd");
      inside_ = status != 0;
      // It may have more to give than there was room for.
      full_ = out.pos == out.size;
      if (out.pos > 0) return out.pos;
    }
  }

 private:
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  bool inside_ = false;  // of a frame
  bool full_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> OpenSource(Descriptor file, std::string name, Compression compression) {
  switch (compression) {
    case Compression::kGzip:
      return std::make_unique<GzipSource>(std::move(file), std::move(name));
    case Compression::kZstd:
      return std::make_unique<ZstdSource>(std::move(file), std::move(name));
    case Compression::kNone:
      break;
  }
  return std::make_unique<PlainSource>(std::move(file), std::move(name));
}

}  // namespace taula::buckets
