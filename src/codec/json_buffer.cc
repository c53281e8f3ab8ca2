#include "codec/json_buffer.h"

#include <cstdint>

namespace taula::codec {
namespace {

bool NeedsEscape(char c) { return static_cast<std::uint8_t>(c) < 0x20 || c == '"' || c == '\\'; }

char* WriteEscape(char* out, char c) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  *out++ = '\\';
  switch (c) {
    case '"':
    case '\\':
      *out++ = c;
      break;
    case '\b':
      *out++ = 'b';
      break;
    case '\f':
      *out++ = 'f';
      break;
    case '\n':
      *out++ = 'n';
      break;
    case '\r':
      *out++ = 'r';
      break;
    case '\t':
      *out++ = 't';
      break;
    default:
      out = std::copy_n("u00", 3, out);
      *out++ = kHex[static_cast<std::uint8_t>(c) >> 4];
      *out++ = kHex[c & 15];
  }
  return out;
}

// Sixteen bytes in one register, on every architecture the compiler knows.
using Vector = std::uint8_t __attribute__((vector_size(16)));
using Words = std::uint64_t __attribute__((vector_size(16)));

// Copies sixteen bytes and says whether they could stay as they are.
bool CopyClean(char* out, const char* at) {
  Vector bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  std::memcpy(out, &bytes, sizeof bytes);
  const auto dirty = reinterpret_cast<Words>((bytes < 0x20) | (bytes == '"') | (bytes == '\\'));
  return (dirty[0] | dirty[1]) == 0;
}

char* WriteBytes(char* out, const char* at, const char* end) {
  for (; at != end; ++at) {
    if (NeedsEscape(*at)) {
      out = WriteEscape(out, *at);
    } else {
      *out++ = *at;
    }
  }
  return out;
}

// Two words that overlap in the middle, where a text is shorter than both.
template <typename Word>
bool CopyCleanEnds(char* out, const char* at, std::size_t size) {
  constexpr Word kOnes = static_cast<Word>(~Word{0}) / 0xff;
  constexpr Word kHighs = kOnes * 0x80;
  const auto dirty = [](Word word) -> Word {
    const auto has_zero = [](Word bytes) -> Word { return (bytes - kOnes) & ~bytes; };
    const Word control = (word - kOnes * 0x20) & ~word;
    return (control | has_zero(word ^ (kOnes * '"')) | has_zero(word ^ (kOnes * '\\'))) & kHighs;
  };
  Word first;
  Word last;
  std::memcpy(&first, at, sizeof first);
  std::memcpy(&last, at + size - sizeof last, sizeof last);
  std::memcpy(out, &first, sizeof first);
  std::memcpy(out + size - sizeof last, &last, sizeof last);
  return (dirty(first) | dirty(last)) == 0;
}

}  // namespace

char* JsonBuffer::WriteEscaped(char* out, const char* at, const char* end) {
  constexpr std::ptrdiff_t kStep = sizeof(Vector);
  for (; end - at >= kStep; at += kStep) {
    out = CopyClean(out, at) ? out + kStep : WriteBytes(out, at, at + kStep);
  }
  const auto left = static_cast<std::size_t>(end - at);
  const bool clean = left >= 8   ? CopyCleanEnds<std::uint64_t>(out, at, left)
                     : left >= 4 ? CopyCleanEnds<std::uint32_t>(out, at, left)
                                 : false;
  return clean ? out + left : WriteBytes(out, at, end);
}

void JsonBuffer::LongText(std::string_view text) {
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, kPieceBytes);
    char* const room = Room(kEscapeBytesMax * piece.size());
    WrittenUpTo(WriteEscaped(room, piece.data(), piece.data() + piece.size()));
    text.remove_prefix(piece.size());
  }
}

}  // namespace taula::codec
