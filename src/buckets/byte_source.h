// The content of a file that may be compressed, piece by piece.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "buckets/descriptor.h"
#include "buckets/failure.h"

namespace taula::buckets {

enum class Compression { kNone, kGzip, kZstd };

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // How many bytes it has put there; none at the end. A file that is not
  // compressed as was said, or ends too early, fails with kMalformed.
  [[nodiscard]] virtual Outcome<std::size_t> Read(std::span<char> into) = 0;
};

// `name` is for messages. An empty file is an empty content, compressed or not.
[[nodiscard]] std::unique_ptr<ByteSource> OpenSource(Descriptor file, std::string name, Compression compression);

}  // namespace taula::buckets
