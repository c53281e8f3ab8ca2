#include "base/base64.h"

#include <array>
#include <cstdint>

namespace taula::base {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Marks what is not in the alphabet; no sum of valid characters has this bit.
constexpr std::uint32_t kForeign = 1U << 31;

constexpr auto kSextets = [] {
  std::array<std::uint32_t, 256> sextets;
  sextets.fill(kForeign);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    sextets[static_cast<std::uint8_t>(kAlphabet[i])] = static_cast<std::uint32_t>(i);
  }
  return sextets;
}();

std::uint32_t Sextet(char c) { return kSextets[static_cast<std::uint8_t>(c)]; }

std::size_t Padding(std::string_view text) {
  if (!text.ends_with('=')) return 0;
  return text.ends_with("==") ? 2 : 1;
}

std::uint32_t Bits(std::uint8_t byte, int shift) { return static_cast<std::uint32_t>(byte) << shift; }

// Four characters as 24 bits, or a number with kForeign in it.
std::uint32_t Group(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return (a << 18) | (b << 12) | (c << 6) | d | ((a | b | c | d) & kForeign);
}

}  // namespace

char* WriteBase64(char* out, std::string_view bytes) {
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const auto put = [&](std::uint32_t group) {
    for (int shift = 18; shift >= 0; shift -= 6) *out++ = kAlphabet[(group >> shift) & 63];
  };
  std::size_t left = bytes.size();
  for (; left >= 3; left -= 3, from += 3) put(Bits(from[0], 16) | Bits(from[1], 8) | from[2]);
  if (left == 0) return out;
  put(Bits(from[0], 16) | (left == 2 ? Bits(from[1], 8) : 0));
  out[-1] = '=';
  if (left == 1) out[-2] = '=';
  return out;
}

void AppendBase64(std::string& out, std::string_view bytes) {
  const std::size_t start = out.size();
  out.resize(start + Base64EncodedSize(bytes.size()));
  WriteBase64(out.data() + start, bytes);
}

std::size_t Base64DecodedSize(std::string_view text) { return text.size() / 4 * 3 - Padding(text); }

bool AppendBase64Decoded(std::string& out, std::string_view text) {
  if (text.size() % 4 != 0) return false;
  if (text.empty()) return true;
  const std::size_t start = out.size();
  const std::size_t padding = Padding(text);
  out.resize(start + Base64DecodedSize(text));
  char* to = out.data() + start;
  const char* from = text.data();
  const char* const last_group = from + text.size() - 4;

  std::uint32_t seen = 0;
  for (; from != last_group; from += 4) {
    const std::uint32_t group = Group(Sextet(from[0]), Sextet(from[1]), Sextet(from[2]), Sextet(from[3]));
    seen |= group;
    *to++ = static_cast<char>(group >> 16);
    *to++ = static_cast<char>(group >> 8);
    *to++ = static_cast<char>(group);
  }
  const std::uint32_t group =
      Group(Sextet(from[0]), Sextet(from[1]), padding == 2 ? 0 : Sextet(from[2]), padding >= 1 ? 0 : Sextet(from[3]));
  seen |= group;
  *to++ = static_cast<char>(group >> 16);
  if (padding < 2) *to++ = static_cast<char>(group >> 8);
  if (padding < 1) *to++ = static_cast<char>(group);

  const std::uint32_t unused_bits = padding == 2 ? 0xffff : padding == 1 ? 0xff : 0;
  if ((seen & kForeign) == 0 && (group & unused_bits) == 0) return true;
  out.resize(start);
  return false;
}

}  // namespace taula::base
