// Takes the framing off a body that came with Transfer-Encoding: chunked.
#pragma once

#include <cstddef>
#include <cstdint>

namespace taula::server {

class ChunkedDecoder {
 public:
  enum class Status { kMore, kDone, kMalformed, kTooLarge };

  // Framing is what is not body: the size of a chunk with its extensions, the
  // trailers. It is bounded for each chunk.
  ChunkedDecoder(std::size_t body_bytes_max, std::size_t framing_bytes_max)
      : body_left_(body_bytes_max), framing_bytes_max_(framing_bytes_max), framing_left_(framing_bytes_max) {}

  // Moves body bytes from `in` to `out` and both pointers behind what they are
  // done with. `out` may point into the same memory, at or before `in`. All of
  // the input is used unless the answer is other than kMore.
  [[nodiscard]] Status Decode(const char*& in, const char* end, char*& out);

 private:
  enum class State {
    kSizeStart,
    kSize,
    kExtension,
    kSizeLf,
    kData,
    kDataCr,
    kDataLf,
    kTrailerStart,
    kTrailer,
    kTrailerLf,
    kLastLf
  };

  Status Framing(char c);
  Status EndOfSize();

  State state_ = State::kSizeStart;
  std::uint64_t chunk_left_ = 0;
  std::size_t body_left_;
  std::size_t framing_bytes_max_;
  std::size_t framing_left_;
};

}  // namespace taula::server
