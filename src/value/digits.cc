#include "value/digits.h"

#include <algorithm>
#include <optional>

namespace taula::value {
namespace {

// Persisted: do not change.
constexpr char kNegative = 0x00;
constexpr char kZero = 0x01;
constexpr char kPositive = 0x02;
constexpr char kEnd = 0x00;  // complemented for negative numbers, as all that follows their first byte
constexpr int kExponentBias = 130;

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The digits in front of an exponent, in the order they are written.
class SignificandScanner {
 public:
  // Returns where the significand ends.
  const char* Scan(const char* at, const char* end) {
    for (; at != end; ++at) {
      if (IsDigit(*at)) {
        any_ = true;
        TakeDigit(static_cast<std::uint8_t>(*at - '0'));
      } else if (*at == '.' && !point_) {
        point_ = true;
      } else {
        break;
      }
    }
    return at;
  }

  // Whether at least one digit was written.
  [[nodiscard]] bool any() const { return any_; }
  // How many are significant, including those that found no room.
  [[nodiscard]] std::int64_t count() const { return count_; }
  // The power of ten of the first significant digit.
  [[nodiscard]] std::int64_t exponent() const { return integer_digits_ - 1; }
  [[nodiscard]] const Digits& digits() const { return digits_; }

 private:
  void TakeDigit(std::uint8_t digit) {
    if (digit == 0) {
      // Zeros in front never count; others only once a digit follows them.
      if (count_ > 0) {
        ++zeros_;
        if (!point_) ++integer_digits_;
      } else if (point_) {
        --integer_digits_;
      }
      return;
    }
    for (; zeros_ > 0; --zeros_) Store(0);
    Store(digit);
    if (!point_) ++integer_digits_;
  }

  void Store(std::uint8_t digit) {
    if (count_ < kDigitsMax) digits_.digit[static_cast<std::size_t>(count_)] = digit;
    ++count_;
  }

  Digits digits_;
  std::int64_t count_ = 0;
  std::int64_t zeros_ = 0;  // seen since the last digit that was stored
  // Digits in front of the point; negative for zeros right behind it.
  std::int64_t integer_digits_ = 0;
  bool point_ = false;
  bool any_ = false;
};

// The number behind an 'e'. Nothing when it is not one, or beyond 64 bits.
std::optional<std::int64_t> ScanExponent(const char* at, const char* end) {
  bool negative = false;
  if (at != end && (*at == '+' || *at == '-')) negative = *at++ == '-';
  if (at == end) return std::nullopt;
  std::int64_t exponent = 0;
  for (; at != end; ++at) {
    if (!IsDigit(*at)) return std::nullopt;
    const int digit = negative ? '0' - *at : *at - '0';
    if (__builtin_mul_overflow(exponent, 10, &exponent)) return std::nullopt;
    if (__builtin_add_overflow(exponent, digit, &exponent)) return std::nullopt;
  }
  return exponent;
}

// Far outside of all that is in range, and far inside of what can be added to.
constexpr std::int64_t kExponentClamp = std::int64_t{1} << 60;

}  // namespace

std::expected<Digits, NumberError> DigitsFromText(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  bool negative = false;
  if (at != end && (*at == '-' || *at == '+')) negative = *at++ == '-';

  SignificandScanner significand;
  at = significand.Scan(at, end);
  if (!significand.any()) return std::unexpected(NumberError::kNotANumber);

  std::int64_t written = 0;
  if (at != end) {
    if (*at != 'e' && *at != 'E') return std::unexpected(NumberError::kNotANumber);
    const auto scanned = ScanExponent(at + 1, end);
    if (!scanned) return std::unexpected(NumberError::kNotANumber);
    written = std::clamp(*scanned, -kExponentClamp, kExponentClamp);
  }

  // Amazon holds even zero to the range, by the exponent it is written with.
  const std::int64_t exponent = significand.count() == 0 ? written : significand.exponent() + written;
  if (exponent > kExponentMax) return std::unexpected(NumberError::kOverflow);
  if (exponent < kExponentMin) return std::unexpected(NumberError::kUnderflow);
  if (significand.count() > kDigitsMax) return std::unexpected(NumberError::kTooManyDigits);

  Digits digits = significand.digits();
  digits.count = static_cast<int>(significand.count());
  if (digits.count > 0) {
    digits.exponent = static_cast<int>(exponent);
    digits.negative = negative;
  }
  return digits;
}

char* WriteDigitsAsText(char* out, const Digits& digits) {
  char* at = out;
  if (digits.count == 0) {
    *at++ = '0';
    return at;
  }
  const auto put = [&](int from, int to) {
    for (int i = from; i < to; ++i) *at++ = static_cast<char>('0' + digits.digit[static_cast<std::size_t>(i)]);
  };
  if (digits.negative) *at++ = '-';
  const int integer_digits = digits.exponent + 1;
  if (integer_digits <= 0) {
    *at++ = '0';
    *at++ = '.';
    at = std::fill_n(at, -integer_digits, '0');
    put(0, digits.count);
  } else if (integer_digits >= digits.count) {
    put(0, digits.count);
    at = std::fill_n(at, integer_digits - digits.count, '0');
  } else {
    put(0, integer_digits);
    *at++ = '.';
    put(integer_digits, digits.count);
  }
  return at;
}

void AppendDigitsAsOrdered(std::string& out, const Digits& digits) {
  if (digits.count == 0) {
    out.push_back(kZero);
    return;
  }
  std::array<char, 3 + kDigitsMax / 2> buffer;
  char* at = buffer.data();
  const std::uint8_t flip = digits.negative ? 0xff : 0x00;
  *at++ = digits.negative ? kNegative : kPositive;
  *at++ = static_cast<char>((digits.exponent + kExponentBias) ^ flip);
  for (int i = 0; i < digits.count; i += 2) {
    const auto first = static_cast<std::size_t>(i);
    const int second = i + 1 < digits.count ? digits.digit[first + 1] : 0;
    *at++ = static_cast<char>((1 + 10 * digits.digit[first] + second) ^ flip);
  }
  *at++ = static_cast<char>(kEnd ^ flip);
  out.append(buffer.data(), static_cast<std::size_t>(at - buffer.data()));
}

Digits DigitsFromOrdered(std::string_view ordered) {
  Digits digits;
  if (ordered.front() == kZero) return digits;
  digits.negative = ordered.front() == kNegative;
  const std::uint8_t flip = digits.negative ? 0xff : 0x00;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(ordered[i]) ^ flip; };
  digits.exponent = byte(1) - kExponentBias;
  for (std::size_t i = 2; byte(i) != kEnd && digits.count < kDigitsMax; ++i) {
    const int pair = byte(i) - 1;
    digits.digit[static_cast<std::size_t>(digits.count++)] = static_cast<std::uint8_t>(pair / 10);
    digits.digit[static_cast<std::size_t>(digits.count++)] = static_cast<std::uint8_t>(pair % 10);
  }
  if (digits.digit[static_cast<std::size_t>(digits.count) - 1] == 0) --digits.count;
  return digits;
}

}  // namespace taula::value
