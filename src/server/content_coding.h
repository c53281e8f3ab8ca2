// Compressed bodies, in and out. The objects are for one thread, which uses
// them again and again.
#pragma once

#include <zlib.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "server/buffer.h"

namespace taula::server {

enum class InflateStatus { kOk, kMalformed, kTooLarge, kNoMemory };

// Reads gzip and deflate, the latter with zlib's header as the standard says or
// without it as some send it.
class Inflater {
 public:
  Inflater() = default;
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  [[nodiscard]] InflateStatus Inflate(std::string_view compressed, std::size_t bytes_max,
                                      const std::shared_ptr<BufferBudget>& budget, std::shared_ptr<Buffer>& out,
                                      std::size_t& out_bytes);

 private:
  bool Prepare(std::string_view compressed);

  z_stream stream_{};
  bool ready_ = false;
};

class GzipCompressor {
 public:
  GzipCompressor() = default;
  ~GzipCompressor();
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;

  // Replaces `body` by its compressed form, which takes no more memory than it has
  // bytes. False, and `body` as it was, when there is no memory for it.
  bool Compress(std::string& body);

 private:
  bool Prepare();

  std::array<char, 64UL * 1024> piece_;
  z_stream stream_{};
  bool ready_ = false;
};

// Whether a value of Accept-Encoding takes gzip.
[[nodiscard]] bool AcceptsGzip(std::string_view accept_encoding);

}  // namespace taula::server
