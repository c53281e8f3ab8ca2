#include "base/timestamp.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace taula::base {
namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::year_month_day;

void WriteDigits(char* out, unsigned number, int count) {
  for (int i = count - 1; i >= 0; --i) {
    out[i] = static_cast<char>('0' + number % 10);
    number /= 10;
  }
}

// All of it; a shorter form is a prefix of it, perhaps with a 'Z'.
void Write(IsoTimestampText& text, std::int64_t ms) {
  const milliseconds since_1970(std::clamp(ms, kIsoMsMin, kIsoMsMax));
  const days day = floor<days>(since_1970);
  const year_month_day date{sys_days(day)};
  auto rest = static_cast<unsigned>((since_1970 - day).count());
  text = {'0', '0', '0', '0', '-', '0', '0', '-', '0', '0', 'T', '0',
          '0', ':', '0', '0', ':', '0', '0', '.', '0', '0', '0', 'Z'};
  WriteDigits(&text[0], static_cast<unsigned>(static_cast<int>(date.year())), 4);
  WriteDigits(&text[5], static_cast<unsigned>(date.month()), 2);
  WriteDigits(&text[8], static_cast<unsigned>(date.day()), 2);
  WriteDigits(&text[20], rest % 1000, 3);
  rest /= 1000;
  WriteDigits(&text[17], rest % 60, 2);
  rest /= 60;
  WriteDigits(&text[14], rest % 60, 2);
  WriteDigits(&text[11], rest / 60, 2);
}

// Texts that have digits where the pattern has a zero, and otherwise the same
// characters.
template <std::size_t kCharsAndEnd>
class Shape {
 public:
  consteval explicit Shape(const char (&pattern)[kCharsAndEnd]) {
    for (std::size_t i = 0; i < kChars; ++i) {
      lowest_[i] = static_cast<std::uint8_t>(pattern[i]);
      span_[i] = pattern[i] == '0' ? 9 : 0;
    }
  }

  // Without a branch a character, so that the compiler takes them all at once.
  [[nodiscard]] bool Fits(std::string_view text) const {
    if (text.size() != kChars) return false;
    std::uint8_t is_wrong = 0;
    for (std::size_t i = 0; i < kChars; ++i) {
      const auto above = static_cast<std::uint8_t>(static_cast<std::uint8_t>(text[i]) - lowest_[i]);
      is_wrong |= static_cast<std::uint8_t>(above > span_[i] ? 1 : 0);
    }
    return is_wrong == 0;
  }

 private:
  static constexpr std::size_t kChars = kCharsAndEnd - 1;
  std::array<std::uint8_t, kChars> lowest_{};
  std::array<std::uint8_t, kChars> span_{};
};

constexpr Shape kMillisecondsShape("0000-00-00T00:00:00.000Z");
constexpr Shape kSecondsShape("0000-00-00T00:00:00Z");
constexpr Shape kDateShape("0000-00-00");

unsigned ReadDigits(std::string_view text, std::size_t at, std::size_t count) {
  unsigned number = 0;
  for (std::size_t i = at; i < at + count; ++i) number = number * 10 + static_cast<unsigned>(text[i] - '0');
  return number;
}

// Of a text that has the shape of a date, or one that begins with it.
std::optional<std::int64_t> ReadDate(std::string_view text) {
  const year_month_day date{std::chrono::year(static_cast<int>(ReadDigits(text, 0, 4))),
                            std::chrono::month(ReadDigits(text, 5, 2)), std::chrono::day(ReadDigits(text, 8, 2))};
  if (!date.ok()) return std::nullopt;
  return milliseconds(sys_days(date).time_since_epoch()).count();
}

std::optional<std::int64_t> ReadDateAndTime(std::string_view text) {
  const std::optional<std::int64_t> date = ReadDate(text);
  const unsigned hour = ReadDigits(text, 11, 2);
  const unsigned minute = ReadDigits(text, 14, 2);
  const unsigned second = ReadDigits(text, 17, 2);
  if (!date || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return *date + std::int64_t{(hour * 60 + minute) * 60 + second} * 1000;
}

}  // namespace

std::int64_t MillisecondsOf(double seconds) {
  return std::llround(std::clamp(seconds * 1000, static_cast<double>(kIsoMsMin), static_cast<double>(kIsoMsMax)));
}

std::string_view WriteIsoTimestamp(IsoTimestampText& text, std::int64_t ms) {
  Write(text, ms);
  return {text.data(), kIsoMillisecondsChars};
}

std::string_view WriteIsoTimestampSeconds(IsoTimestampText& text, std::int64_t ms) {
  Write(text, ms);
  text[kIsoSecondsChars - 1] = 'Z';
  return {text.data(), kIsoSecondsChars};
}

std::string IsoTimestamp(std::int64_t ms) {
  IsoTimestampText text;
  return std::string(WriteIsoTimestamp(text, ms));
}

std::string IsoTimestampSeconds(std::int64_t ms) {
  IsoTimestampText text;
  return std::string(WriteIsoTimestampSeconds(text, ms));
}

std::string IsoDate(std::int64_t ms) {
  IsoTimestampText text;
  return std::string(WriteIsoTimestamp(text, ms).substr(0, kIsoDateChars));
}

std::optional<std::int64_t> ParseIsoTimestamp(std::string_view text) {
  if (!kMillisecondsShape.Fits(text)) return std::nullopt;
  const std::optional<std::int64_t> second = ReadDateAndTime(text);
  if (!second) return std::nullopt;
  return *second + ReadDigits(text, 20, 3);
}

std::optional<std::int64_t> ParseIsoTimestampSeconds(std::string_view text) {
  if (!kSecondsShape.Fits(text)) return std::nullopt;
  return ReadDateAndTime(text);
}

std::optional<std::int64_t> ParseIsoDate(std::string_view text) {
  if (!kDateShape.Fits(text)) return std::nullopt;
  return ReadDate(text);
}

}  // namespace taula::base
