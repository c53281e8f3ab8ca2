// Fixed and variable length integers in byte strings.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace taula::base {

static_assert(std::endian::native == std::endian::little, "byte formats are written for little-endian machines");

inline void AppendU32(std::string& out, std::uint32_t number) {
  char bytes[4];
  std::memcpy(bytes, &number, 4);
  out.append(bytes, 4);
}

inline std::uint32_t ReadU32(const char* at) {
  std::uint32_t number;
  std::memcpy(&number, at, 4);
  return number;
}

inline void AppendU64(std::string& out, std::uint64_t number) {
  char bytes[8];
  std::memcpy(bytes, &number, 8);
  out.append(bytes, 8);
}

inline std::uint64_t ReadU64(const char* at) {
  std::uint64_t number;
  std::memcpy(&number, at, 8);
  return number;
}

// Big-endian integers compare as their bytes do, which keys need.
inline void AppendBigEndianU32(std::string& out, std::uint32_t number) { AppendU32(out, __builtin_bswap32(number)); }

inline void AppendBigEndianU64(std::string& out, std::uint64_t number) { AppendU64(out, __builtin_bswap64(number)); }

inline std::uint64_t ReadBigEndianU64(const char* at) { return __builtin_bswap64(ReadU64(at)); }

inline std::uint32_t ReadBigEndianU32(const char* at) { return __builtin_bswap32(ReadU32(at)); }

// Seven bits a byte, low ones first, the high bit set on all but the last.
inline void AppendVarint(std::string& out, std::uint32_t number) {
  while (number >= 0x80) {
    out.push_back(static_cast<char>(number | 0x80));
    number >>= 7;
  }
  out.push_back(static_cast<char>(number));
}

// Reads the varint at `at` and moves `at` behind it.
inline std::uint32_t ReadVarint(const char*& at) {
  std::uint32_t number = static_cast<std::uint8_t>(*at++);
  if (number < 0x80) return number;
  number &= 0x7f;
  for (int shift = 7;; shift += 7) {
    const auto byte = static_cast<std::uint8_t>(*at++);
    number |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
}

}  // namespace taula::base
