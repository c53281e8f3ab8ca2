// The end of a string as memory that JSON is written into: room is looked for
// once a piece, and the string learns its length at the end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace taula::codec {

class JsonBuffer {
 public:
  // Appends to `out`, which is not to be looked at before this is gone.
  explicit JsonBuffer(std::string& out) : out_(out), at_(out.data() + out.size()), end_(at_) {
    if (out.capacity() > out.size()) Open(out.capacity());
  }
  ~JsonBuffer() { out_.resize(static_cast<std::size_t>(at_ - out_.data())); }
  JsonBuffer(const JsonBuffer&) = delete;
  JsonBuffer& operator=(const JsonBuffer&) = delete;

  // Where at least `bytes` more can be written; what has been written is then
  // told to WrittenUpTo.
  [[nodiscard]] char* Room(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) Grow(bytes);
    return at_;
  }
  void WrittenUpTo(char* end) { at_ = end; }

  template <std::size_t kBytes>
  void Literal(const char (&text)[kBytes]) {
    at_ = Copy(Room(kBytes - 1), text);
  }

  // A text, escaped, between two others that stay as they are. They come
  // together because most of what is written are short texts between quotes.
  template <std::size_t kBefore, std::size_t kAfter>
  void Text(const char (&before)[kBefore], std::string_view text, const char (&after)[kAfter]) {
    at_ = Copy(Room(kBefore + text.size() + kAfter), before);
    if (CopyIfClean(at_, text)) {
      at_ = Copy(at_ + text.size(), after);
    } else {
      Escaped(text);
      Literal(after);
    }
  }

 private:
  static constexpr std::size_t kBytesMin = 512;

  template <std::size_t kBytes>
  static char* Copy(char* out, const char (&text)[kBytes]) {
    std::memcpy(out, text, kBytes - 1);
    return out + kBytes - 1;
  }

  // Copies all of the text, and says whether nothing in it needs escaping.
  static bool CopyIfClean(char* out, std::string_view text);
  void Escaped(std::string_view text);

  void Grow(std::size_t bytes) {
    const auto written = static_cast<std::size_t>(at_ - out_.data());
    Open(std::max({written + bytes, 2 * out_.capacity(), kBytesMin}));
  }

  // Makes all of `bytes` part of the string, without filling them.
  void Open(std::size_t bytes) {
    const auto written = static_cast<std::size_t>(at_ - out_.data());
    out_.resize_and_overwrite(bytes, [](char*, std::size_t size) { return size; });
    at_ = out_.data() + written;
    end_ = out_.data() + out_.size();
  }

  std::string& out_;
  char* at_;
  char* end_;
};

}  // namespace taula::codec
