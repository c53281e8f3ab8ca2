// A number as its significant digits: the form in which a text becomes ordered
// bytes and ordered bytes become a text, without arithmetic in between.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "value/number_error.h"

namespace taula::value {

inline constexpr int kDigitsMax = 38;
// Of the first significant digit: d.ddd × 10^exponent.
inline constexpr int kExponentMax = 125;
inline constexpr int kExponentMin = -130;

// d1.d2d3… × 10^exponent with d1 ≠ 0 and no zero at the end; no digits at all
// for zero.
struct Digits {
  // Values 0 to 9. One more than can be significant, so that pairs of digits
  // can be read and written whole.
  std::array<std::uint8_t, kDigitsMax + 2> digit;
  int count = 0;
  int exponent = 0;
  bool negative = false;
};

[[nodiscard]] std::expected<Digits, NumberError> DigitsFromText(std::string_view text);
// Of the text: a sign, "0.", and the digits of 1.23…E-130; integers are shorter.
inline constexpr std::size_t kDigitsTextBytesMax = 3 - kExponentMin + kDigitsMax;
// Writes at most kDigitsTextBytesMax characters, and returns what follows them.
char* WriteDigitsAsText(char* out, const Digits& digits);

void AppendDigitsAsOrdered(std::string& out, const Digits& digits);
// `ordered` begins with a well-formed ordered form.
[[nodiscard]] Digits DigitsFromOrdered(std::string_view ordered);

}  // namespace taula::value
