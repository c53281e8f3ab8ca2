#include "transfer/output_file.h"

#include <fcntl.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <utility>

#include "buckets/bucket.h"

namespace taula::transfer {
namespace {

using buckets::Compression;
using buckets::Descriptor;
using buckets::Outcome;

constexpr std::size_t kBufferBytes = std::size_t{256} << 10;

class GzipCompressor final : public Compressor {
 public:
  GzipCompressor() {
    constexpr int kGzipWindowBits = 15 + 16;
    constexpr int kMemoryLevel = 8;
    constexpr int kLevel = 4;  // as exports to buckets have it
    deflateInit2(&stream_, kLevel, Z_DEFLATED, kGzipWindowBits, kMemoryLevel, Z_DEFAULT_STRATEGY);
  }
  ~GzipCompressor() override { deflateEnd(&stream_); }
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;

  void Add(std::string_view bytes, std::string& out) override { Deflate(bytes, Z_NO_FLUSH, out); }
  void End(std::string& out) override {
    Deflate({}, Z_FINISH, out);
    deflateReset(&stream_);
  }

 private:
  void Deflate(std::string_view bytes, int flush, std::string& out) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      const std::size_t before = out.size();
      out.resize(before + kBufferBytes);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
      stream_.avail_out = static_cast<uInt>(kBufferBytes);
      deflate(&stream_, flush);
      out.resize(out.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
};

class ZstdCompressor final : public Compressor {
 public:
  ZstdCompressor() : context_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  void Add(std::string_view bytes, std::string& out) override { Compress(bytes, ZSTD_e_continue, out); }
  void End(std::string& out) override { Compress({}, ZSTD_e_end, out); }

 private:
  void Compress(std::string_view bytes, ZSTD_EndDirective end, std::string& out) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::size_t left = 1;
    while (end == ZSTD_e_end ? left != 0 : in.pos < in.size) {
      const std::size_t before = out.size();
      out.resize(before + kBufferBytes);
      ZSTD_outBuffer room{out.data() + before, kBufferBytes, 0};
      left = ZSTD_compressStream2(context_.get(), &room, &in, end);
      out.resize(before + room.pos);
      if (ZSTD_isError(left) != 0) return;
    }
  }

  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context_;
};

std::unique_ptr<Compressor> MakeCompressor(Compression compression) {
  if (compression == Compression::kGzip) return std::make_unique<GzipCompressor>();
  if (compression == Compression::kZstd) return std::make_unique<ZstdCompressor>();
  return nullptr;
}

}  // namespace

OutputFile::OutputFile(Descriptor file, std::string name, Compression compression)
    : file_(std::move(file)), name_(std::move(name)), compressor_(MakeCompressor(compression)) {}

Outcome<OutputFile> OutputFile::Open(const std::string& path, Compression compression, std::uint64_t length) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  if (!file.is_open()) return buckets::SystemFailure(errno, path);
  const auto bytes = static_cast<off_t>(length);
  if (ftruncate(file.number(), bytes) != 0 || lseek(file.number(), 0, SEEK_END) != bytes) {
    return buckets::SystemFailure(errno, path);
  }
  OutputFile output(std::move(file), path, compression);
  output.length_ = length;
  return output;
}

Outcome<void> OutputFile::WriteOut(std::size_t keep_bytes) {
  if (buffer_.size() <= keep_bytes) return {};
  if (auto written = buckets::WriteAll(file_, buffer_, name_); !written) return written;
  length_ += buffer_.size();
  buffer_.clear();
  return {};
}

Outcome<void> OutputFile::Write(std::string_view bytes) {
  if (compressor_ == nullptr) {
    buffer_.append(bytes);
  } else {
    compressor_->Add(bytes, buffer_);
    has_member_ = true;
  }
  return WriteOut(kBufferBytes);
}

Outcome<void> OutputFile::Finish() {
  if (std::exchange(has_member_, false)) compressor_->End(buffer_);
  return WriteOut(0);
}

Outcome<std::uint64_t> OutputFile::Settle() {
  if (auto finished = Finish(); !finished) return std::unexpected(finished.error());
  if (auto synced = buckets::Sync(file_, name_); !synced) return std::unexpected(synced.error());
  return length_;
}

}  // namespace taula::transfer
