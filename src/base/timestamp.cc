#include "base/timestamp.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace taula::base {
namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::year_month_day;

using Text = std::array<char, kIsoMillisecondsChars>;

void WriteDigits(char* out, unsigned number, int count) {
  for (int i = count - 1; i >= 0; --i) {
    out[i] = static_cast<char>('0' + number % 10);
    number /= 10;
  }
}

// All of it; a shorter form is a prefix of it, perhaps with a 'Z'.
Text Write(std::int64_t ms) {
  const milliseconds since_1970(std::clamp(ms, kIsoMsMin, kIsoMsMax));
  const days day = floor<days>(since_1970);
  const year_month_day date{sys_days(day)};
  auto rest = static_cast<unsigned>((since_1970 - day).count());
  Text text{'0', '0', '0', '0', '-', '0', '0', '-', '0', '0', 'T', '0',
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
  return text;
}

// Takes numbers and punctuation off the front of a text until something does
// not fit.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  unsigned Number(std::size_t digits) {
    unsigned number = 0;
    if (text_.size() < digits) fits_ = false;
    for (std::size_t i = 0; fits_ && i < digits; ++i) {
      const char c = text_[i];
      if (c < '0' || c > '9') fits_ = false;
      number = number * 10 + static_cast<unsigned>(c - '0');
    }
    if (fits_) text_.remove_prefix(digits);
    return number;
  }

  unsigned NumberUpTo(unsigned last, std::size_t digits) {
    const unsigned number = Number(digits);
    if (number > last) fits_ = false;
    return number;
  }

  void Character(char c) {
    if (!fits_ || !text_.starts_with(c)) {
      fits_ = false;
      return;
    }
    text_.remove_prefix(1);
  }

  milliseconds Date() {
    const unsigned year = Number(4);
    Character('-');
    const unsigned month = Number(2);
    Character('-');
    const unsigned day = Number(2);
    const year_month_day date{std::chrono::year(static_cast<int>(year)), std::chrono::month(month),
                              std::chrono::day(day)};
    if (!fits_ || !date.ok()) {
      fits_ = false;
      return milliseconds(0);
    }
    return sys_days(date).time_since_epoch();
  }

  milliseconds TimeToSeconds() {
    Character('T');
    const unsigned hour = NumberUpTo(23, 2);
    Character(':');
    const unsigned minute = NumberUpTo(59, 2);
    Character(':');
    const unsigned second = NumberUpTo(59, 2);
    return std::chrono::seconds((hour * 60 + minute) * 60 + second);
  }

  [[nodiscard]] std::optional<std::int64_t> Result(milliseconds sum) const {
    if (!fits_ || !text_.empty()) return std::nullopt;
    return sum.count();
  }

 private:
  std::string_view text_;
  bool fits_ = true;
};

}  // namespace

std::string IsoTimestamp(std::int64_t ms) {
  const Text text = Write(ms);
  return {text.data(), kIsoMillisecondsChars};
}

std::string IsoTimestampSeconds(std::int64_t ms) {
  Text text = Write(ms);
  text[kIsoSecondsChars - 1] = 'Z';
  return {text.data(), kIsoSecondsChars};
}

std::string IsoDate(std::int64_t ms) {
  const Text text = Write(ms);
  return {text.data(), kIsoDateChars};
}

std::optional<std::int64_t> ParseIsoTimestamp(std::string_view text) {
  Reader reader(text);
  milliseconds sum = reader.Date();
  sum += reader.TimeToSeconds();
  reader.Character('.');
  sum += milliseconds(reader.Number(3));
  reader.Character('Z');
  return reader.Result(sum);
}

std::optional<std::int64_t> ParseIsoTimestampSeconds(std::string_view text) {
  Reader reader(text);
  milliseconds sum = reader.Date();
  sum += reader.TimeToSeconds();
  reader.Character('Z');
  return reader.Result(sum);
}

std::optional<std::int64_t> ParseIsoDate(std::string_view text) {
  Reader reader(text);
  const milliseconds sum = reader.Date();
  return reader.Result(sum);
}

}  // namespace taula::base
