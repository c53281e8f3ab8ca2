// A file that is compressed while it is written, with the checksum of what comes
// to the disk.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "buckets/descriptor.h"
#include "buckets/failure.h"
#include "buckets/md5.h"

namespace taula::buckets {

class GzipFile {
 public:
  // `name` is for messages.
  GzipFile(Descriptor file, std::string name);
  ~GzipFile();
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;

  [[nodiscard]] Outcome<void> Write(std::string_view bytes) { return Deflate(bytes, Z_NO_FLUSH); }
  // Writes the rest, and brings all of it to the disk.
  [[nodiscard]] Outcome<void> Finish();

  // Compressed, so far.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  // Of the compressed bytes; once, after Finish.
  [[nodiscard]] std::string TakeMd5() { return md5_.Finish(); }

 private:
  [[nodiscard]] Outcome<void> Deflate(std::string_view bytes, int flush);

  Descriptor file_;
  std::string name_;
  z_stream stream_{};
  bool ready_ = false;
  std::vector<char> buffer_;
  std::uint64_t bytes_ = 0;
  Md5 md5_;
};

}  // namespace taula::buckets
