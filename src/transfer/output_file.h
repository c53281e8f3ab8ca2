// A file that is written from its front to its end, compressed or not, and can be
// settled in between: what has been written by then is whole by itself, and on
// the disk. Somebody else can cut the file there later and go on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "buckets/byte_source.h"
#include "buckets/descriptor.h"
#include "buckets/failure.h"

namespace taula::transfer {

// Of one member of a compressed file.
class Compressor {
 public:
  virtual ~Compressor() = default;
  // Appends to `out`. After the end comes the next member.
  virtual void Add(std::string_view bytes, std::string& out) = 0;
  virtual void End(std::string& out) = 0;
};

class OutputFile {
 public:
  // Anything that can be written to. `name` is for messages.
  OutputFile(buckets::Descriptor file, std::string name, buckets::Compression compression);

  // A file of this name, cut to a length that Settle returned; 0 for a new one.
  [[nodiscard]] static buckets::Outcome<OutputFile> Open(const std::string& path, buckets::Compression compression,
                                                         std::uint64_t length = 0);

  [[nodiscard]] buckets::Outcome<void> Write(std::string_view bytes);
  // The length of the file up to here.
  [[nodiscard]] buckets::Outcome<std::uint64_t> Settle();
  // For what cannot be brought to a disk, such as a pipe. Writes all there is.
  [[nodiscard]] buckets::Outcome<void> Finish();

  // In the file, so far.
  [[nodiscard]] std::uint64_t length() const { return length_; }

 private:
  [[nodiscard]] buckets::Outcome<void> WriteOut(std::size_t keep_bytes);

  buckets::Descriptor file_;
  std::string name_;
  std::unique_ptr<Compressor> compressor_;  // none: as it is
  std::string buffer_;
  std::uint64_t length_ = 0;
  bool has_member_ = false;  // that has not ended
};

}  // namespace taula::transfer
