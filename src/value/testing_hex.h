// Bytes as tests and docs/formats.md write them: "02 82 0b 00".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace taula::value {

inline std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    if (!text.empty()) text.push_back(' ');
    text.push_back(kDigits[static_cast<std::uint8_t>(byte) >> 4]);
    text.push_back(kDigits[static_cast<std::uint8_t>(byte) & 15]);
  }
  return text;
}

}  // namespace taula::value
