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

// Marks bytes that need escaping with their high bit. May mark one behind a
// byte that does, too.
template <typename Word>
Word DirtyBytes(Word word) {
  constexpr Word kOnes = static_cast<Word>(~Word{0}) / 0xff;
  const auto zeros = [](Word bytes) -> Word { return (bytes - kOnes) & ~bytes; };
  const Word controls = (word - kOnes * 0x20) & ~word;
  return (controls | zeros(word ^ (kOnes * '"')) | zeros(word ^ (kOnes * '\\'))) & (kOnes * 0x80);
}

template <typename Word>
Word CopyWord(char* out, const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  std::memcpy(out, &word, sizeof word);
  return word;
}

// Two words that overlap where the text is shorter than both.
template <typename Word>
bool CopyEnds(char* out, std::string_view text) {
  const std::size_t last = text.size() - sizeof(Word);
  return (DirtyBytes(CopyWord<Word>(out, text.data())) | DirtyBytes(CopyWord<Word>(out + last, text.data() + last))) ==
         0;
}

// Sixteen bytes in one register, on every architecture the compiler knows.
bool CopySixteens(char* out, std::string_view text) {
  using Vector = std::uint8_t __attribute__((vector_size(16)));
  using Words = std::uint64_t __attribute__((vector_size(16)));
  Vector dirty{};
  const auto copy = [&](std::size_t at) {
    const auto bytes = CopyWord<Vector>(out + at, text.data() + at);
    dirty |= reinterpret_cast<Vector>((bytes < 0x20) | (bytes == '"') | (bytes == '\\'));
  };
  const std::size_t last = text.size() - sizeof(Vector);
  for (std::size_t at = 0; at < last; at += sizeof(Vector)) copy(at);
  copy(last);
  const auto words = reinterpret_cast<Words>(dirty);
  return (words[0] | words[1]) == 0;
}

}  // namespace

bool JsonBuffer::CopyIfClean(char* out, std::string_view text) {
  if (text.size() >= 16) return CopySixteens(out, text);
  if (text.size() >= 8) return CopyEnds<std::uint64_t>(out, text);
  if (text.size() >= 4) return CopyEnds<std::uint32_t>(out, text);
  bool clean = true;
  for (const char c : text) {
    *out++ = c;
    clean &= !NeedsEscape(c);
  }
  return clean;
}

void JsonBuffer::Escaped(std::string_view text) {
  // In pieces, so that a long text does not ask for six times its length.
  constexpr std::size_t kEscapeBytesMax = 6;
  constexpr std::size_t kPieceBytes = 4096;
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, kPieceBytes);
    char* out = Room(kEscapeBytesMax * piece.size());
    for (const char c : piece) {
      if (NeedsEscape(c)) {
        out = WriteEscape(out, c);
      } else {
        *out++ = c;
      }
    }
    WrittenUpTo(out);
    text.remove_prefix(piece.size());
  }
}

}  // namespace taula::codec
