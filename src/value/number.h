// DynamoDB's numbers: 38 significant decimal digits, exactly.
//
// A number is sign × coefficient × 10^exponent. The coefficient of 38 digits
// fits in 128 bits, and it carries no trailing zeros, so that one number has
// one representation.
//
// Numbers rest and travel in their ordered form, byte strings that compare as
// the numbers do, none the prefix of another, so that they can stand inside a
// longer key. Persisted: do not change.
//
//   zero     := 01
//   positive := 02 exponent pair* 00      d.ddd × 10^e; exponent is e + 130
//   negative := 00 …                      what follows 02, each byte inverted
//
// A pair is 1 + two digits (1 to 100); an odd last digit is followed by a zero.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "value/number_error.h"

namespace taula::value {

struct Digits;

// Of an ordered form: sign, exponent, nineteen pairs of digits, end.
inline constexpr std::size_t kOrderedBytesMax = 22;

class Number {
 public:
  Number() = default;  // zero
  explicit Number(std::int64_t integer);

  // Optional sign, digits with an optional point before, between or behind
  // them, optional exponent with an optional sign. No spaces.
  [[nodiscard]] static std::expected<Number, NumberError> Parse(std::string_view text);

  void AppendOrdered(std::string& out) const;
  // `bytes` begins with an ordered form made by AppendOrdered.
  [[nodiscard]] static Number FromOrdered(std::string_view bytes);
  // How many bytes the ordered form that `bytes` begins with takes.
  [[nodiscard]] static std::size_t OrderedLength(std::string_view bytes);

  // As DynamoDB writes it back: plain digits, no trailing zeros, no exponent.
  void AppendText(std::string& out) const;
  [[nodiscard]] std::string Text() const;

  // What the number counts for in the size of an item.
  [[nodiscard]] std::size_t ItemSize() const;

  // Exact when the result fits in 38 digits, an error when it does not.
  [[nodiscard]] std::expected<Number, NumberError> Plus(const Number& other) const;
  [[nodiscard]] std::expected<Number, NumberError> Minus(const Number& other) const;

  // Nothing when the number is not an integer that fits.
  [[nodiscard]] std::optional<std::int64_t> ToInt64() const;

  friend std::strong_ordering operator<=>(const Number& a, const Number& b);
  friend bool operator==(const Number& a, const Number& b) = default;

 private:
  using Coefficient = unsigned __int128;

  [[nodiscard]] static Number FromDigits(const Digits& digits);
  [[nodiscard]] Digits ToDigits() const;
  // Takes a coefficient that may have trailing zeros or too many digits.
  [[nodiscard]] static std::expected<Number, NumberError> Normalise(bool negative, Coefficient coefficient,
                                                                    int exponent);

  Coefficient coefficient_ = 0;
  std::int16_t exponent_ = 0;
  bool negative_ = false;
};

// Between the wire and the ordered form, with no Number in between.
[[nodiscard]] std::expected<void, NumberError> AppendOrderedFromText(std::string& out, std::string_view text);
// Writes at most kNumberTextBytesMax characters, and returns what follows them.
inline constexpr std::size_t kNumberTextBytesMax = 171;
char* WriteTextFromOrdered(char* out, std::string_view ordered);
void AppendTextFromOrdered(std::string& out, std::string_view ordered);
[[nodiscard]] std::size_t OrderedItemSize(std::string_view ordered);

// The length of the ordered form that `bytes` begins with; nothing when it is
// not one that AppendOrdered makes. For bytes that nobody has vouched for.
[[nodiscard]] std::optional<std::size_t> CheckOrdered(std::string_view bytes);

}  // namespace taula::value
