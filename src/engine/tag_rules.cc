#include "engine/tag_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "base/limits.h"

namespace taula::engine {

namespace {

constexpr std::size_t kKeyCharactersMax = 128;
constexpr std::size_t kValueCharactersMax = 256;
constexpr std::size_t kTotalBytesMax = 10240;

bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

std::size_t Characters(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, IsContinuation));
}

// Letters and digits of any script are allowed; of ASCII only some signs are.
bool IsAllowed(char byte) {
  const auto character = static_cast<unsigned char>(byte);
  return character >= 0x80 || std::isalnum(character) != 0 || std::string_view(" +-=._:/@").contains(byte);
}

bool IsText(std::string_view text, std::size_t least, std::size_t most) {
  const std::size_t characters = Characters(text);
  return characters >= least && characters <= most && std::ranges::all_of(text, IsAllowed);
}

bool IsReserved(std::string_view key) {
  constexpr std::string_view kPrefix = "aws:";
  return key.size() >= kPrefix.size() && std::ranges::equal(key.substr(0, kPrefix.size()), kPrefix, [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         });
}

Result<void> CheckKey(std::string_view key) {
  if (!IsText(key, 1, kKeyCharactersMax)) {
    return ValidationError(fmt::format("The Tag Key provided is invalid, Key: {}", key));
  }
  if (IsReserved(key)) return ValidationError(fmt::format("Tag Key cannot be prefixed with aws:, Key: {}", key));
  return {};
}

Result<void> CheckCount(std::size_t count) {
  if (count <= base::kTagsMax) return {};
  return ValidationError("Number of Tags exceed the current limit for the provided ResourceArn");
}

}  // namespace

Result<void> CheckTags(std::span<const Tag> tags) {
  std::set<std::string_view> keys;
  for (const Tag& tag : tags) {
    if (auto key = CheckKey(tag.key); !key) return key;
    if (!IsText(tag.value, 0, kValueCharactersMax)) {
      return ValidationError(fmt::format("The Tag Value provided is invalid, Value: {}", tag.value));
    }
    if (!keys.insert(tag.key).second) {
      return ValidationError(fmt::format("Duplicate Tag Keys provided as input: Duplicate Tag Key found {}", tag.key));
    }
  }
  return CheckTagTotal(tags);
}

Result<void> CheckTagKeys(std::span<const std::string> keys) {
  for (const std::string& key : keys) {
    if (auto checked = CheckKey(key); !checked) return checked;
  }
  return CheckCount(keys.size());
}

Result<void> CheckTagTotal(std::span<const Tag> tags) {
  if (auto count = CheckCount(tags.size()); !count) return count;
  std::size_t bytes = 0;
  for (const Tag& tag : tags) bytes += tag.key.size() + tag.value.size();
  if (bytes <= kTotalBytesMax) return {};
  return ValidationError(
      fmt::format("Tag set size {} bytes is above max size limit of {} bytes", bytes, kTotalBytesMax));
}

}  // namespace taula::engine
