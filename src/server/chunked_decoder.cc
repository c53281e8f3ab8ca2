#include "server/chunked_decoder.h"

#include <algorithm>
#include <cstring>

namespace taula::server {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; }

}  // namespace

ChunkedDecoder::Status ChunkedDecoder::Decode(const char*& in, const char* end, char*& out) {
  while (in < end) {
    if (state_ == State::kData) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_left_, end - in));
      std::memmove(out, in, count);
      in += count;
      out += count;
      chunk_left_ -= count;
      if (chunk_left_ == 0) state_ = State::kDataCr;
      continue;
    }
    if (framing_left_ == 0) return Status::kTooLarge;
    --framing_left_;
    if (const Status status = Framing(*in++); status != Status::kMore) return status;
  }
  return Status::kMore;
}

ChunkedDecoder::Status ChunkedDecoder::Framing(char c) {
  // The state that must follow a given character, or the end of the attempt.
  const auto expect = [&](char wanted, State next) {
    state_ = next;
    return c == wanted ? Status::kMore : Status::kMalformed;
  };
  switch (state_) {
    case State::kSizeStart:
      if (HexDigit(c) < 0) return Status::kMalformed;
      chunk_left_ = 0;
      state_ = State::kSize;
      [[fallthrough]];
    case State::kSize:
      if (const int digit = HexDigit(c); digit >= 0) {
        chunk_left_ = chunk_left_ * 16 + static_cast<std::uint64_t>(digit);
        return chunk_left_ > body_left_ ? Status::kTooLarge : Status::kMore;
      }
      if (c == ';' || c == ' ' || c == '\t') {
        state_ = State::kExtension;
        return Status::kMore;
      }
      return expect('\r', State::kSizeLf);
    case State::kExtension:
      if (c == '\r') return expect('\r', State::kSizeLf);
      return IsControl(c) ? Status::kMalformed : Status::kMore;
    case State::kSizeLf:
      return c == '\n' ? EndOfSize() : Status::kMalformed;
    case State::kDataCr:
      return expect('\r', State::kDataLf);
    case State::kDataLf:
      return expect('\n', State::kSizeStart);
    case State::kTrailerStart:
      if (c == '\r') return expect('\r', State::kLastLf);
      state_ = State::kTrailer;
      [[fallthrough]];
    case State::kTrailer:
      if (c == '\r') return expect('\r', State::kTrailerLf);
      return IsControl(c) ? Status::kMalformed : Status::kMore;
    case State::kTrailerLf:
      return expect('\n', State::kTrailerStart);
    case State::kLastLf:
      return c == '\n' ? Status::kDone : Status::kMalformed;
    case State::kData:
      break;
  }
  return Status::kMalformed;
}

ChunkedDecoder::Status ChunkedDecoder::EndOfSize() {
  body_left_ -= chunk_left_;
  framing_left_ = framing_bytes_max_;
  state_ = chunk_left_ == 0 ? State::kTrailerStart : State::kData;
  return Status::kMore;
}

}  // namespace taula::server
