#include "cloudwatch/input.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "base/timestamp.h"

namespace taula::cloudwatch {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;

template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end) return std::nullopt;
  return number;
}

std::optional<std::int64_t> FromSeconds(double seconds) {
  const double ms = std::round(seconds * 1000);
  // Which no number is that is none.
  const bool is_time = ms >= static_cast<double>(base::kIsoMsMin) && ms <= static_cast<double>(base::kIsoMsMax);
  if (!is_time) return std::nullopt;
  return static_cast<std::int64_t>(ms);
}

// "Z", "+01:00" or "+0100", as minutes east of Greenwich.
std::optional<std::int64_t> ParseZone(std::string_view text) {
  if (text == "Z") return 0;
  if (text.size() < 5 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const bool colon = text[3] == ':';
  if (text.size() != (colon ? 6U : 5U)) return std::nullopt;
  const auto hours = ParseNumber<unsigned>(text.substr(1, 2));
  const auto minutes = ParseNumber<unsigned>(text.substr(colon ? 4 : 3));
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  const std::int64_t east = std::int64_t{*hours} * 60 + *minutes;
  return text[0] == '-' ? -east : east;
}

// ".5" is 500, and more than three digits are cut off.
std::optional<std::int64_t> TakeFraction(std::string_view& text) {
  if (!text.starts_with('.')) return 0;
  text.remove_prefix(1);
  std::int64_t ms = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    if (digits < 3) ms = ms * 10 + (text[digits] - '0');
  }
  if (digits == 0) return std::nullopt;
  for (std::size_t i = digits; i < 3; ++i) ms *= 10;
  text.remove_prefix(digits);
  return ms;
}

}  // namespace

std::optional<std::int64_t> ParseTime(std::string_view text) {
  constexpr std::size_t kUpToSeconds = base::kIsoSecondsChars - 1;
  if (text.size() <= kUpToSeconds) return std::nullopt;
  const auto seconds_ms = base::ParseIsoTimestampSeconds(std::string(text.substr(0, kUpToSeconds)).append("Z"));
  text.remove_prefix(kUpToSeconds);
  const auto fraction_ms = TakeFraction(text);
  const auto zone_minutes = ParseZone(text);
  if (!seconds_ms || !fraction_ms || !zone_minutes) return std::nullopt;
  return *seconds_ms + *fraction_ms - *zone_minutes * kMinuteMs;
}

std::nullopt_t Input::Wrong(std::string_view name, std::string_view wanted) const {
  if (!*fault_) *fault_ = Malformed(fmt::format("{} must be {}", name, wanted)).error();
  return std::nullopt;
}

std::optional<std::string> Input::Text(std::string_view name) const {
  const Document* const found = document_->Find(name);
  if (found == nullptr) return std::nullopt;
  const auto* text = found->As<std::string>();
  if (const auto* const raw = found->As<Document::Raw>()) text = &raw->text;
  if (text == nullptr) return Wrong(name, "a string");
  if (text->empty()) return std::nullopt;
  return *text;
}

std::optional<std::int64_t> Input::Integer(std::string_view name) const {
  const Document* const found = document_->Find(name);
  if (found == nullptr) return std::nullopt;
  std::optional<std::int64_t> number;
  if (const auto* const raw = found->As<Document::Raw>()) {
    number = ParseNumber<std::int64_t>(raw->text);
  } else if (const auto* const integer = found->As<std::int64_t>()) {
    number = *integer;
  } else if (const auto* const real = found->As<double>()) {
    constexpr double kExactMax = 1e15;
    if (std::abs(*real) < kExactMax && *real == std::trunc(*real)) number = static_cast<std::int64_t>(*real);
  }
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (!number || *number > kMost || *number < -kMost) return Wrong(name, "an integer");
  return number;
}

std::optional<bool> Input::Boolean(std::string_view name) const {
  const Document* const found = document_->Find(name);
  if (found == nullptr) return std::nullopt;
  if (const auto* const truth = found->As<bool>()) return *truth;
  if (const auto* const raw = found->As<Document::Raw>()) {
    if (raw->text == "true") return true;
    if (raw->text == "false") return false;
  }
  return Wrong(name, "a boolean");
}

std::optional<std::int64_t> Input::Time(std::string_view name) const {
  const Document* const found = document_->Find(name);
  if (found == nullptr) return std::nullopt;
  std::optional<std::int64_t> ms;
  if (const auto* const time = found->As<Document::Time>()) {
    ms = time->ms;
  } else if (const auto* const raw = found->As<Document::Raw>()) {
    ms = ParseTime(raw->text);
  } else if (const auto* const text = found->As<std::string>()) {
    ms = ParseTime(*text);
  } else if (const auto* const integer = found->As<std::int64_t>()) {
    ms = FromSeconds(static_cast<double>(*integer));
  } else if (const auto* const real = found->As<double>()) {
    ms = FromSeconds(*real);
  }
  if (!ms && !*fault_) *fault_ = ValidationError("timestamp must follow ISO8601").error();
  return ms;
}

std::optional<Input> Input::Struct(std::string_view name) const {
  const Document* const found = document_->Find(name);
  if (found == nullptr) return std::nullopt;
  if (found->As<Document::Struct>() == nullptr) return Wrong(name, "a structure");
  return Input(*found, *fault_);
}

const Document::List* Input::List(std::string_view name) const {
  const Document* const found = document_->Find(name);
  if (found == nullptr) return nullptr;
  // So a form has lists that are empty.
  if (const auto* const raw = found->As<Document::Raw>(); raw != nullptr && raw->text.empty()) return nullptr;
  const auto* const list = found->As<Document::List>();
  if (list == nullptr) Wrong(name, "a list");
  return list;
}

std::vector<Input> Input::Structs(std::string_view name) const {
  std::vector<Input> structs;
  const Document::List* const list = List(name);
  if (list == nullptr) return structs;
  for (const Document& each : *list) {
    if (each.As<Document::Struct>() != nullptr) {
      structs.emplace_back(each, *fault_);
    } else {
      Wrong(name, "a list of structures");
    }
  }
  return structs;
}

std::vector<std::string> Input::Texts(std::string_view name) const {
  std::vector<std::string> texts;
  const Document::List* const list = List(name);
  if (list == nullptr) return texts;
  for (const Document& each : *list) {
    if (const auto* const raw = each.As<Document::Raw>()) {
      texts.push_back(raw->text);
    } else if (const auto* const text = each.As<std::string>()) {
      texts.push_back(*text);
    } else {
      Wrong(name, "a list of strings");
    }
  }
  return texts;
}

}  // namespace taula::cloudwatch
