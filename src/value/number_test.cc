#include "value/number.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "value/testing_hex.h"

namespace taula::value {
namespace {

std::string Zeros(std::size_t count) { return std::string(count, '0'); }

Number Parsed(std::string_view text) {
  const auto number = Number::Parse(text);
  EXPECT_TRUE(number.has_value()) << text;
  return number.value_or(Number());
}

std::string Normalised(std::string_view text) { return Parsed(text).Text(); }

void ExpectRefused(std::string_view text, NumberError error) {
  const auto number = Number::Parse(text);
  ASSERT_FALSE(number.has_value()) << text;
  EXPECT_EQ(number.error(), error) << text;
}

std::string Ordered(const Number& number) {
  std::string bytes;
  number.AppendOrdered(bytes);
  return bytes;
}

TEST(Number, WritesPlainDigits) {
  EXPECT_EQ(Normalised("0"), "0");
  EXPECT_EQ(Normalised("42"), "42");
  EXPECT_EQ(Normalised("-42"), "-42");
  EXPECT_EQ(Normalised("1.5E2"), "150");
  EXPECT_EQ(Normalised("1.5e+2"), "150");
  EXPECT_EQ(Normalised("15e-1"), "1.5");
  EXPECT_EQ(Normalised("1E125"), "1" + Zeros(125));
  EXPECT_EQ(Normalised("1E-130"), "0." + Zeros(129) + "1");
  EXPECT_EQ(Normalised("-1.25E-3"), "-0.00125");
  EXPECT_EQ(Normalised("9.9999999999999999999999999999999999999E+125"), std::string(38, '9') + Zeros(88));
}

TEST(Number, DropsWhatIsNotSignificant) {
  EXPECT_EQ(Normalised("00042"), "42");
  EXPECT_EQ(Normalised("0042.1200"), "42.12");
  EXPECT_EQ(Normalised("1.0"), "1");
  EXPECT_EQ(Normalised("+5"), "5");
  EXPECT_EQ(Normalised("-0"), "0");
  EXPECT_EQ(Normalised("-0.000"), "0");
  EXPECT_EQ(Normalised(Zeros(100) + "7." + Zeros(100)), "7");
  EXPECT_EQ(Normalised("0." + Zeros(100) + "1e101"), "1");
  EXPECT_EQ(Normalised("1" + Zeros(125) + "e-125"), "1");
  EXPECT_EQ(Normalised("1" + Zeros(1000) + "e-1000"), "1");
}

TEST(Number, TakesAPointOnEitherSide) {
  EXPECT_EQ(Normalised(".5"), "0.5");
  EXPECT_EQ(Normalised("5."), "5");
  EXPECT_EQ(Normalised("1.e5"), "100000");
  EXPECT_EQ(Normalised("-.5e1"), "-5");
}

TEST(Number, RefusesWhatIsNotANumber) {
  for (const std::string_view text : {"",      " ",     " 5",    "5 ",  "1e",    "1e+",   "e5",   "+e2", ".",
                                      "+",     "-",     "-.",    ".e1", "++5",   "+-5",   "0x10", "NaN", "Infinity",
                                      "1_000", "1,000", "1.2.3", "1+2", "1e5.0", "1e5e5", "abc",  "5a",  "\xd9\xa5"}) {
    ExpectRefused(text, NumberError::kNotANumber);
  }
  ExpectRefused(std::string_view("5\0", 2), NumberError::kNotANumber);
}

TEST(Number, TakesThirtyEightDigits) {
  EXPECT_EQ(Normalised("12345678901234567890123456789012345678"), "12345678901234567890123456789012345678");
  EXPECT_EQ(Normalised("-1234567890123456789.0123456789012345678"), "-1234567890123456789.0123456789012345678");
  EXPECT_EQ(Normalised("0." + Zeros(40) + std::string(38, '9')), "0." + Zeros(40) + std::string(38, '9'));
}

TEST(Number, RejectsThirtyNineDigits) {
  ExpectRefused("123456789012345678901234567890123456789", NumberError::kTooManyDigits);
  ExpectRefused("1" + Zeros(37) + "1", NumberError::kTooManyDigits);
  ExpectRefused("1." + Zeros(37) + "1", NumberError::kTooManyDigits);
  ExpectRefused(std::string(100, '9'), NumberError::kTooManyDigits);
}

TEST(Number, KnowsItsRange) {
  ExpectRefused("1E126", NumberError::kOverflow);
  ExpectRefused("-1E126", NumberError::kOverflow);
  ExpectRefused("1" + Zeros(126), NumberError::kOverflow);
  ExpectRefused("10E125", NumberError::kOverflow);
  ExpectRefused("1E-131", NumberError::kUnderflow);
  ExpectRefused("-0.1E-130", NumberError::kUnderflow);
  ExpectRefused("1e99999999999", NumberError::kOverflow);
  ExpectRefused("1e-99999999999", NumberError::kUnderflow);
  ExpectRefused("1e9223372036854775807", NumberError::kOverflow);
  ExpectRefused("1e-9223372036854775808", NumberError::kUnderflow);
  EXPECT_EQ(Normalised("1.5E-130"), "0." + Zeros(129) + "15");
}

TEST(Number, ReportsTheRangeBeforeTheDigits) {
  ExpectRefused(std::string(39, '1') + "E126", NumberError::kOverflow);
  ExpectRefused(std::string(39, '1') + "E-200", NumberError::kUnderflow);
  ExpectRefused(std::string(39, '1') + "E-200x", NumberError::kNotANumber);
}

TEST(Number, HoldsZeroToTheRangeOfItsExponent) {
  EXPECT_EQ(Normalised("0e125"), "0");
  EXPECT_EQ(Normalised("0e-130"), "0");
  EXPECT_EQ(Normalised("0." + Zeros(500)), "0");
  ExpectRefused("0e126", NumberError::kOverflow);
  ExpectRefused("0e-131", NumberError::kUnderflow);
}

TEST(Number, RefusesAnExponentBeyondSixtyFourBits) {
  ExpectRefused("1e9223372036854775808", NumberError::kNotANumber);
  ExpectRefused("1e-9223372036854775809", NumberError::kNotANumber);
  ExpectRefused("1e" + std::string(100, '9'), NumberError::kNotANumber);
}

TEST(Number, HasTheOrderedFormThatIsDocumented) {
  EXPECT_EQ(Hex(Ordered(Parsed("0"))), "01");
  EXPECT_EQ(Hex(Ordered(Parsed("1"))), "02 82 0b 00");
  EXPECT_EQ(Hex(Ordered(Parsed("-1"))), "00 7d f4 ff");
  EXPECT_EQ(Hex(Ordered(Parsed("42"))), "02 83 2b 00");
  EXPECT_EQ(Hex(Ordered(Parsed("3.14"))), "02 82 20 29 00");
  EXPECT_EQ(Hex(Ordered(Parsed("-3.14"))), "00 7d df d6 ff");
  EXPECT_EQ(Hex(Ordered(Parsed("1E125"))), "02 ff 0b 00");
  EXPECT_EQ(Hex(Ordered(Parsed("1E-130"))), "02 00 0b 00");
  EXPECT_EQ(Hex(Ordered(Parsed("-1E125"))), "00 00 f4 ff");
  EXPECT_EQ(Hex(Ordered(Parsed("100.99"))), "02 84 0b 0a 5b 00");
}

TEST(Number, TakesNoMoreBytesThanSaid) {
  EXPECT_EQ(Ordered(Parsed(std::string(38, '9'))).size(), kOrderedBytesMax);
  EXPECT_EQ(Ordered(Parsed("-" + std::string(38, '9'))).size(), kOrderedBytesMax);
}

TEST(Number, CountsForItsDigitsInAnItem) {
  const std::vector<std::pair<std::string, std::size_t>> cases = {
      {"0", 1},
      {"1", 2},
      {"42", 2},
      {"-42", 3},
      {"123456", 4},
      {"3.14159", 5},
      {"1E125", 2},
      {"1E-130", 2},
      {"0.0000001", 2},
      {"100.05", 4},
      {std::string(38, '9'), 20},
      {"-0.5", 3},
      {"12.5", 3},
      {"123.4", 4},
      {"1200", 2},
      {"0.0012", 2},
      {"1.05", 3},
  };
  for (const auto& [text, size] : cases) {
    EXPECT_EQ(Parsed(text).ItemSize(), size) << text;
    EXPECT_EQ(OrderedItemSize(Ordered(Parsed(text))), size) << text;
  }
}

TEST(Number, ConvertsIntegers) {
  using Limits = std::numeric_limits<std::int64_t>;
  for (const std::int64_t integer : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{1000},
                                     std::int64_t{-120}, Limits::max(), Limits::min()}) {
    EXPECT_EQ(Number(integer), Parsed(std::to_string(integer)));
    EXPECT_EQ(Number(integer).ToInt64(), integer);
  }
  EXPECT_EQ(Parsed("9223372036854775808").ToInt64(), std::nullopt);
  EXPECT_EQ(Parsed("-9223372036854775809").ToInt64(), std::nullopt);
  EXPECT_EQ(Parsed("1.5").ToInt64(), std::nullopt);
  EXPECT_EQ(Parsed("1E18").ToInt64(), 1'000'000'000'000'000'000);
  EXPECT_EQ(Parsed("1E19").ToInt64(), std::nullopt);
  EXPECT_EQ(Parsed("1E125").ToInt64(), std::nullopt);
  EXPECT_EQ(Parsed("99999999999999999999999999999999999999").ToInt64(), std::nullopt);
}

TEST(Number, RefusesOrderedBytesThatAreNotCanonical) {
  const auto check = [](std::initializer_list<int> bytes) {
    std::string text;
    for (const int byte : bytes) text.push_back(static_cast<char>(byte));
    return CheckOrdered(text);
  };
  EXPECT_EQ(check({0x01}), 1U);
  EXPECT_EQ(check({0x02, 0x82, 0x0b, 0x00}), 4U);
  EXPECT_EQ(check({0x02, 0x82, 0x0b, 0x00, 0x77}), 4U);
  EXPECT_EQ(check({}), std::nullopt);
  EXPECT_EQ(check({0x03}), std::nullopt);
  EXPECT_EQ(check({0x02}), std::nullopt);
  EXPECT_EQ(check({0x02, 0x82}), std::nullopt);
  EXPECT_EQ(check({0x02, 0x82, 0x00}), std::nullopt);              // no digits
  EXPECT_EQ(check({0x02, 0x82, 0x0b}), std::nullopt);              // not closed
  EXPECT_EQ(check({0x02, 0x82, 0x02, 0x00}), std::nullopt);        // begins with a zero digit
  EXPECT_EQ(check({0x02, 0x82, 0x0b, 0x01, 0x00}), std::nullopt);  // ends with zeros
  EXPECT_EQ(check({0x02, 0x82, 0x65, 0x00}), std::nullopt);        // no pair of digits
  EXPECT_EQ(check({0x00, 0x7d, 0xf4, 0x00}), std::nullopt);        // the other sign's end
  std::string long_one("\x02\x82", 2);
  long_one.append(20, '\x0b').push_back('\0');
  EXPECT_EQ(CheckOrdered(long_one), std::nullopt);
}

TEST(Number, AddsExactlyOrNotAtAll) {
  const auto plus = [](std::string_view a, std::string_view b) { return Parsed(a).Plus(Parsed(b)); };
  EXPECT_EQ(plus("0.1", "0.2")->Text(), "0.3");
  EXPECT_EQ(plus("999", "1")->Text(), "1000");
  EXPECT_EQ(plus("5", "-5")->Text(), "0");
  EXPECT_EQ(plus("-5", "3")->Text(), "-2");
  EXPECT_EQ(plus("0", "1E-130")->Text(), Normalised("1E-130"));
  EXPECT_EQ(plus(std::string(38, '9'), "1")->Text(), "1" + Zeros(38));
  EXPECT_EQ(plus("1" + Zeros(38), "-1")->Text(), std::string(38, '9'));
  EXPECT_EQ(plus(std::string(38, '9'), "0.1").error(), NumberError::kTooManyDigits);
  EXPECT_EQ(plus(std::string(38, '9'), "2").error(), NumberError::kTooManyDigits);
  EXPECT_EQ(plus("1E125", "1E-130").error(), NumberError::kTooManyDigits);
  EXPECT_EQ(plus("9E125", "1E125").error(), NumberError::kOverflow);
  EXPECT_EQ(plus("-9E125", "-1E125").error(), NumberError::kOverflow);
  EXPECT_EQ(plus("1.1E-130", "-1E-130").error(), NumberError::kUnderflow);
}

TEST(Number, SubtractsByAddingTheOpposite) {
  EXPECT_EQ(Parsed("5").Minus(Parsed("7"))->Text(), "-2");
  EXPECT_EQ(Parsed("5").Minus(Parsed("-7"))->Text(), "12");
  EXPECT_EQ(Parsed("0").Minus(Parsed("7"))->Text(), "-7");
  EXPECT_EQ(Parsed("5").Minus(Parsed("0"))->Text(), "5");
  EXPECT_EQ(*Parsed("0").Minus(Parsed("0")), Number());
}

// A number written out in full, to compare and add as one does on paper: all
// digits from 10^126 down to 10^-170, as a signed count of the last place.
class OnPaper {
 public:
  static constexpr int kHigh = 127;
  static constexpr int kLow = 170;

  explicit OnPaper(std::string_view plain) : digits_(kHigh + kLow, 0) {
    if (plain.starts_with('-')) {
      sign_ = -1;
      plain.remove_prefix(1);
    }
    const std::size_t point = std::min(plain.find('.'), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      if (i == point) continue;
      const std::size_t column = kHigh - point + i - (i > point ? 1 : 0);
      digits_[column] = plain[i] - '0';
    }
  }

  static OnPaper Sum(const OnPaper& a, const OnPaper& b) {
    OnPaper sum("0");
    const bool a_larger = a.digits_ >= b.digits_;
    const OnPaper& larger = a_larger ? a : b;
    const OnPaper& smaller = a_larger ? b : a;
    const int direction = a.sign_ == b.sign_ ? 1 : -1;
    int carry = 0;
    for (std::size_t i = a.digits_.size(); i-- > 0;) {
      const int digit = larger.digits_[i] + direction * smaller.digits_[i] + carry;
      carry = digit > 9 ? 1 : digit < 0 ? -1 : 0;
      sum.digits_[i] = digit - 10 * carry;
    }
    sum.sign_ = larger.sign_;
    return sum;
  }

  [[nodiscard]] int Compare(const OnPaper& other) const {
    if (IsZero() && other.IsZero()) return 0;
    if (sign_ != other.sign_) return IsZero() ? -other.sign_ : sign_;
    if (digits_ == other.digits_) return 0;
    return digits_ > other.digits_ ? sign_ : -sign_;
  }

  [[nodiscard]] bool IsZero() const {
    return std::all_of(digits_.begin(), digits_.end(), [](int digit) { return digit == 0; });
  }

  [[nodiscard]] int SignificantDigits() const {
    const auto not_zero = [](int digit) { return digit != 0; };
    const auto first = std::find_if(digits_.begin(), digits_.end(), not_zero);
    const auto last = std::find_if(digits_.rbegin(), digits_.rend(), not_zero).base();
    return first == digits_.end() ? 0 : static_cast<int>(last - first);
  }

  [[nodiscard]] int Exponent() const {
    const auto first = std::find_if(digits_.begin(), digits_.end(), [](int digit) { return digit != 0; });
    return kHigh - 1 - static_cast<int>(first - digits_.begin());
  }

 private:
  int sign_ = 1;
  std::vector<int> digits_;
};

class RandomNumbers {
 public:
  std::string Text() {
    if (Below(20) == 0) return "0";
    std::string text = Below(2) == 0 ? "-" : "";
    const int count = 1 + Below(38);
    text.push_back(static_cast<char>('1' + Below(9)));
    text.push_back('.');
    // Few different digits, so that carries and equal beginnings are common.
    const bool extreme = Below(2) == 0;
    for (int i = 1; i < count; ++i) text.push_back(static_cast<char>('0' + (extreme ? 9 * Below(2) : Below(10))));
    // Mostly close together, so that sums often fit.
    const int exponent = Below(3) == 0 ? Below(256) - 130 : Below(20) - 10;
    return text + "e" + std::to_string(exponent);
  }

 private:
  int Below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  std::mt19937 random_{20120810};
};

TEST(Number, SurvivesEveryRoundTrip) {
  RandomNumbers random;
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = random.Text();
    const Number number = Parsed(text);
    const std::string ordered = Ordered(number);
    EXPECT_EQ(Number::FromOrdered(ordered), number) << text;
    EXPECT_EQ(Number::OrderedLength(ordered + "tail"), ordered.size()) << text;
    EXPECT_EQ(CheckOrdered(ordered), ordered.size()) << text;
    EXPECT_EQ(Parsed(number.Text()), number) << text;
    EXPECT_EQ(OnPaper(number.Text()).SignificantDigits() <= 38, true) << text;
    std::string direct;
    ASSERT_TRUE(AppendOrderedFromText(direct, text));
    EXPECT_EQ(direct, ordered) << text;
    std::string written;
    AppendTextFromOrdered(written, ordered + "tail");
    EXPECT_EQ(written, number.Text()) << text;
  }
}

TEST(Number, OrderedBytesCompareAsTheNumbersDo) {
  RandomNumbers random;
  for (int round = 0; round < 20'000; ++round) {
    const Number a = Parsed(random.Text());
    const Number b = Parsed(random.Text());
    const int expected = OnPaper(a.Text()).Compare(OnPaper(b.Text()));
    const int by_bytes = Ordered(a).compare(Ordered(b));
    EXPECT_EQ((by_bytes > 0) - (by_bytes < 0), expected) << a.Text() << " and " << b.Text();
    const auto by_value = a <=> b;
    EXPECT_EQ((by_value > 0) - (by_value < 0), expected) << a.Text() << " and " << b.Text();
    EXPECT_EQ(a == b, expected == 0);
    if (expected != 0) {
      EXPECT_FALSE(Ordered(a).starts_with(Ordered(b)));
    }
  }
}

TEST(Number, CalculatesAsOneDoesOnPaper) {
  RandomNumbers random;
  int exact = 0;
  for (int round = 0; round < 20'000; ++round) {
    const Number a = Parsed(random.Text());
    const Number b = Parsed(random.Text());
    const OnPaper expected = OnPaper::Sum(OnPaper(a.Text()), OnPaper(b.Text()));
    const bool fits = expected.IsZero() ||
                      (expected.SignificantDigits() <= 38 && expected.Exponent() <= 125 && expected.Exponent() >= -130);
    const auto sum = a.Plus(b);
    ASSERT_EQ(sum.has_value(), fits) << a.Text() << " plus " << b.Text();
    if (!fits) continue;
    ++exact;
    EXPECT_EQ(OnPaper(sum->Text()).Compare(expected), 0) << a.Text() << " plus " << b.Text();
    EXPECT_EQ(b.Plus(a), sum);
    EXPECT_EQ(sum->Minus(b), a) << a.Text() << " plus and minus " << b.Text();
  }
  EXPECT_GT(exact, 1000) << "the numbers are too far apart to say much";
}

}  // namespace
}  // namespace taula::value
