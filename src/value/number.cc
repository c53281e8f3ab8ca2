#include "value/number.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "value/digits.h"

namespace taula::value {
namespace {

using Wide = unsigned __int128;

constexpr std::uint64_t kTenTo19 = 10'000'000'000'000'000'000U;

constexpr auto kPowersOfTen = [] {
  std::array<Wide, kDigitsMax + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

Wide PowerOfTen(int exponent) { return kPowersOfTen[static_cast<std::size_t>(exponent)]; }

// Zero has no digits.
int CountDigits(Wide number) {
  const auto* above = std::upper_bound(kPowersOfTen.begin(), kPowersOfTen.end(), number);
  return static_cast<int>(above - kPowersOfTen.begin());
}

// The size of `count` digits of which the first has this power of ten.
std::size_t SizeOfDigits(int count, int exponent, bool negative) {
  const int integer = std::clamp(exponent + 1, 0, count);
  const int fraction = count - integer;
  return static_cast<std::size_t>(1 + (integer + 1) / 2 + (fraction + 1) / 2 + (negative ? 1 : 0));
}

}  // namespace

Number::Number(std::int64_t integer) : negative_(integer < 0) {
  auto magnitude = static_cast<std::uint64_t>(integer);
  if (negative_) magnitude = 0 - magnitude;
  while (magnitude != 0 && magnitude % 10 == 0) {
    magnitude /= 10;
    ++exponent_;
  }
  coefficient_ = magnitude;
}

Number Number::FromDigits(const Digits& digits) {
  Number number;
  if (digits.count == 0) return number;
  const auto chunk = [&](int from, int to) {
    std::uint64_t sum = 0;
    for (int i = from; i < to; ++i) sum = sum * 10 + digits.digit[static_cast<std::size_t>(i)];
    return sum;
  };
  // Nineteen digits fit in a word, whose arithmetic is many times faster.
  const int low = std::max(0, digits.count - 19);
  number.coefficient_ = chunk(0, digits.count - low);
  if (low > 0) number.coefficient_ = number.coefficient_ * PowerOfTen(low) + chunk(digits.count - low, digits.count);
  number.exponent_ = static_cast<std::int16_t>(digits.exponent - digits.count + 1);
  number.negative_ = digits.negative;
  return number;
}

Digits Number::ToDigits() const {
  Digits digits;
  if (coefficient_ == 0) return digits;
  digits.count = CountDigits(coefficient_);
  digits.exponent = exponent_ + digits.count - 1;
  digits.negative = negative_;
  const auto put = [&](std::uint64_t number, int from, int to) {
    for (int i = to - 1; i >= from; --i, number /= 10) {
      digits.digit[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(number % 10);
    }
  };
  if (digits.count <= 19) {
    put(static_cast<std::uint64_t>(coefficient_), 0, digits.count);
  } else {
    put(static_cast<std::uint64_t>(coefficient_ / kTenTo19), 0, digits.count - 19);
    put(static_cast<std::uint64_t>(coefficient_ % kTenTo19), digits.count - 19, digits.count);
  }
  return digits;
}

std::expected<Number, NumberError> Number::Parse(std::string_view text) {
  const auto digits = DigitsFromText(text);
  if (!digits) return std::unexpected(digits.error());
  return FromDigits(*digits);
}

void Number::AppendOrdered(std::string& out) const { AppendDigitsAsOrdered(out, ToDigits()); }

Number Number::FromOrdered(std::string_view bytes) { return FromDigits(DigitsFromOrdered(bytes)); }

std::size_t Number::OrderedLength(std::string_view bytes) {
  const auto first = static_cast<std::uint8_t>(bytes.front());
  if (first == 1) return 1;
  // The exponent may be any byte; behind it the closing one stands only at the end.
  const char end = first == 0 ? '\xff' : '\x00';
  std::size_t length = 3;
  while (bytes[length - 1] != end) ++length;
  return length;
}

void Number::AppendText(std::string& out) const {
  std::array<char, kNumberTextBytesMax> text;
  out.append(text.data(), WriteDigitsAsText(text.data(), ToDigits()));
}

std::string Number::Text() const {
  std::string text;
  AppendText(text);
  return text;
}

std::size_t Number::ItemSize() const {
  const int count = CountDigits(coefficient_);
  return SizeOfDigits(count, exponent_ + count - 1, negative_);
}

std::expected<Number, NumberError> Number::Normalise(bool negative, Coefficient coefficient, int exponent) {
  Number number;
  if (coefficient == 0) return number;
  while (coefficient % 10 == 0) {
    coefficient /= 10;
    ++exponent;
  }
  const int first_digit_exponent = exponent + CountDigits(coefficient) - 1;
  if (first_digit_exponent > kExponentMax) return std::unexpected(NumberError::kOverflow);
  if (first_digit_exponent < kExponentMin) return std::unexpected(NumberError::kUnderflow);
  if (coefficient >= PowerOfTen(kDigitsMax)) return std::unexpected(NumberError::kTooManyDigits);
  number.coefficient_ = coefficient;
  number.exponent_ = static_cast<std::int16_t>(exponent);
  number.negative_ = negative;
  return number;
}

std::expected<Number, NumberError> Number::Plus(const Number& other) const {
  if (coefficient_ == 0) return other;
  if (other.coefficient_ == 0) return *this;
  const Number& high = exponent_ >= other.exponent_ ? *this : other;
  const Number& low = exponent_ >= other.exponent_ ? other : *this;

  // In units of the lower one's last digit. That digit is not zero, so the
  // result has no fewer digits than it has units, unless both end at the same
  // power of ten, where nothing is shifted. Whatever does not fit in 128 bits
  // (3.4 × 10^38) therefore has more than 38 digits, also after the lower one
  // (less than 10^38) is taken off.
  const int shift = high.exponent_ - low.exponent_;
  Wide shifted;
  Wide sum;
  if (shift > kDigitsMax || __builtin_mul_overflow(high.coefficient_, PowerOfTen(shift), &shifted)) {
    return std::unexpected(NumberError::kTooManyDigits);
  }
  if (high.negative_ == low.negative_) {
    if (__builtin_add_overflow(shifted, low.coefficient_, &sum)) return std::unexpected(NumberError::kTooManyDigits);
    return Normalise(high.negative_, sum, low.exponent_);
  }
  if (shifted >= low.coefficient_) return Normalise(high.negative_, shifted - low.coefficient_, low.exponent_);
  return Normalise(low.negative_, low.coefficient_ - shifted, low.exponent_);
}

std::expected<Number, NumberError> Number::Minus(const Number& other) const {
  Number negated = other;
  negated.negative_ = other.coefficient_ != 0 && !other.negative_;
  return Plus(negated);
}

std::optional<std::int64_t> Number::ToInt64() const {
  if (exponent_ < 0 || exponent_ > 18) return std::nullopt;
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  Wide magnitude;
  if (__builtin_mul_overflow(coefficient_, PowerOfTen(exponent_), &magnitude)) return std::nullopt;
  if (magnitude > kMax + (negative_ ? 1 : 0)) return std::nullopt;
  const auto word = static_cast<std::uint64_t>(magnitude);
  return static_cast<std::int64_t>(negative_ ? 0 - word : word);
}

std::strong_ordering operator<=>(const Number& a, const Number& b) {
  const auto sign = [](const Number& number) { return number.coefficient_ == 0 ? 0 : number.negative_ ? -1 : 1; };
  if (sign(a) != sign(b) || sign(a) == 0) return sign(a) <=> sign(b);
  const Number& small = a.negative_ ? b : a;  // of two negative numbers the larger magnitude is less
  const Number& large = a.negative_ ? a : b;
  const int small_count = CountDigits(small.coefficient_);
  const int large_count = CountDigits(large.coefficient_);
  const auto by_magnitude = small.exponent_ + small_count <=> large.exponent_ + large_count;
  if (by_magnitude != 0) return by_magnitude;
  const int count = std::max(small_count, large_count);
  return small.coefficient_ * PowerOfTen(count - small_count) <=> large.coefficient_ * PowerOfTen(count - large_count);
}

std::expected<void, NumberError> AppendOrderedFromText(std::string& out, std::string_view text) {
  const auto digits = DigitsFromText(text);
  if (!digits) return std::unexpected(digits.error());
  AppendDigitsAsOrdered(out, *digits);
  return {};
}

static_assert(kNumberTextBytesMax == kDigitsTextBytesMax);

char* WriteTextFromOrdered(char* out, std::string_view ordered) {
  return WriteDigitsAsText(out, DigitsFromOrdered(ordered));
}

void AppendTextFromOrdered(std::string& out, std::string_view ordered) {
  std::array<char, kNumberTextBytesMax> text;
  out.append(text.data(), WriteTextFromOrdered(text.data(), ordered));
}

std::size_t OrderedItemSize(std::string_view ordered) {
  const Digits digits = DigitsFromOrdered(ordered);
  return SizeOfDigits(digits.count, digits.exponent, digits.negative);
}

std::optional<std::size_t> CheckOrdered(std::string_view bytes) {
  if (bytes.empty() || static_cast<std::uint8_t>(bytes[0]) > 2) return std::nullopt;
  if (bytes[0] == 1) return 1;
  const std::uint8_t flip = bytes[0] == 0 ? 0xff : 0x00;
  constexpr std::size_t kPairsMax = kDigitsMax / 2;
  int last_pair = 0;
  for (std::size_t i = 2; i < bytes.size() && i <= 2 + kPairsMax; ++i) {
    const int byte = static_cast<std::uint8_t>(bytes[i]) ^ flip;
    if (byte == 0) {
      // No digits, or zeros at the end that another form leaves out.
      if (last_pair == 0) return std::nullopt;
      return i + 1;
    }
    if (byte > 100) return std::nullopt;
    last_pair = byte - 1;
    if (i == 2 && last_pair < 10) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace taula::value
