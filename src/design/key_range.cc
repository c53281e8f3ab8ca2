#include "design/key_range.h"

#include <fmt/format.h>

#include <cstdint>

namespace taula::design {
namespace {

// Keys of one attribute are of one type.
std::strong_ordering Compare(ValueView a, ValueView b) {
  const bool numbers = a.type() == Type::kNumber && b.type() == Type::kNumber;
  const int order = numbers ? a.ordered_number().compare(b.ordered_number()) : a.bytes().compare(b.bytes());
  return order <=> 0;
}

// Negative when `a` begins earlier.
int CompareLow(const KeyRange::End& a, const KeyRange::End& b) {
  const auto order = Compare(a.value.view(), b.value.view());
  if (order != 0) return order < 0 ? -1 : 1;
  return static_cast<int>(a.open) - static_cast<int>(b.open);
}

int CompareHigh(const KeyRange::End& a, const KeyRange::End& b) {
  const auto order = Compare(a.value.view(), b.value.view());
  if (order != 0) return order < 0 ? -1 : 1;
  return static_cast<int>(b.open) - static_cast<int>(a.open);
}

constexpr std::uint32_t kSurrogatesBegin = 0xD800;
constexpr std::uint32_t kSurrogatesEnd = 0xE000;
constexpr std::uint32_t kCodePointsEnd = 0x110000;

std::uint32_t DecodeLast(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0);
  std::uint32_t code = byte(0) & (0xFFU >> (character.size() + 1));
  for (std::size_t i = 1; i < character.size(); ++i) code = (code << 6U) | (byte(i) & 0x3FU);
  return code;
}

void AppendUtf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  const auto rest = [&](unsigned shift) { put(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | (code >> 6U));
    rest(0);
  } else if (code < 0x10000) {
    put(0xE0U | (code >> 12U));
    rest(6);
    rest(0);
  } else {
    put(0xF0U | (code >> 18U));
    rest(12);
    rest(6);
    rest(0);
  }
}

}  // namespace

std::optional<std::string> AfterPrefix(std::string_view prefix) {
  while (!prefix.empty()) {
    std::size_t begin = prefix.size() - 1;
    while (begin > 0 && (static_cast<unsigned char>(prefix[begin]) & 0xC0U) == 0x80) --begin;
    std::uint32_t next = DecodeLast(prefix.substr(begin)) + 1;
    if (next >= kSurrogatesBegin && next < kSurrogatesEnd) next = kSurrogatesEnd;
    prefix = prefix.substr(0, begin);
    if (next >= kCodePointsEnd) continue;
    std::string after(prefix);
    AppendUtf8(after, next);
    return after;
  }
  return std::nullopt;
}

KeyRange KeyRange::Of(Value value) {
  KeyRange range;
  range.low = End{value, false};
  range.high = End{std::move(value), false};
  return range;
}

KeyRange KeyRange::OfPrefix(std::string prefix) {
  KeyRange range;
  if (prefix.empty()) return range;
  range.low = End{Value(prefix), false};
  if (std::optional<std::string> end = AfterPrefix(prefix)) range.high = End{Value(*end), true};
  range.prefix = std::move(prefix);
  return range;
}

bool KeyRange::Holds(ValueView key) const {
  if (low) {
    const auto order = Compare(key, low->value.view());
    if (order < 0 || (order == 0 && low->open)) return false;
  }
  if (high) {
    const auto order = Compare(key, high->value.view());
    if (order > 0 || (order == 0 && high->open)) return false;
  }
  return true;
}

bool KeyRange::is_empty() const {
  if (!low || !high) return false;
  const auto order = Compare(low->value.view(), high->value.view());
  return order > 0 || (order == 0 && (low->open || high->open));
}

void KeyRange::Intersect(const KeyRange& other) {
  const KeyRange before = *this;
  if (other.low && (!low || CompareLow(*low, *other.low) < 0)) low = other.low;
  if (other.high && (!high || CompareHigh(*high, *other.high) > 0)) high = other.high;
  if (*this != before) prefix = low == other.low && high == other.high ? other.prefix : std::nullopt;
}

void KeyRange::Extend(const KeyRange& other) {
  const KeyRange before = *this;
  if (!other.low || (low && CompareLow(*low, *other.low) > 0)) low = other.low;
  if (!other.high || (high && CompareHigh(*high, *other.high) < 0)) high = other.high;
  if (*this != before) prefix = low == other.low && high == other.high ? other.prefix : std::nullopt;
}

std::string KeyRange::Condition(std::string_view attribute, Placeholders& placeholders) const {
  if (is_all()) return {};
  const std::string name = placeholders.Name(attribute);
  if (is_one()) return fmt::format("{} = {}", name, placeholders.Value(low->value));
  if (prefix) return fmt::format("begins_with({}, {})", name, placeholders.Value(Value(*prefix)));
  if (low && high) {
    const std::string from = placeholders.Value(low->value);
    const std::string until = placeholders.Value(high->value);
    return fmt::format("{} BETWEEN {} AND {}", name, from, until);
  }
  if (low) return fmt::format("{} {} {}", name, low->open ? ">" : ">=", placeholders.Value(low->value));
  return fmt::format("{} {} {}", name, high->open ? "<" : "<=", placeholders.Value(high->value));
}

}  // namespace taula::design
