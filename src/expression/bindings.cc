#include "expression/bindings.h"

#include <algorithm>
#include <string>

#include "base/limits.h"

namespace taula::expression {
namespace {

bool IsPlaceholder(std::string_view text, char mark) {
  if (text.size() < 2 || text[0] != mark) return false;
  return std::ranges::all_of(text.substr(1), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::unexpected<Error> InvalidPlaceholder(std::string_view parameter, std::string_view placeholder) {
  return ValidationError(std::string(parameter) + " contains invalid key: Syntax error; key: \"" +
                         std::string(placeholder) + "\"");
}

std::unexpected<Error> TooLarge(std::string_view parameter) {
  return ValidationError(std::string(parameter) + " exceeds max size");
}

template <typename Entries>
auto FindAndUse(Entries& entries, std::string_view placeholder)
    -> std::optional<decltype(entries.front().meaning)> {
  for (auto& entry : entries) {
    if (entry.placeholder != placeholder) continue;
    entry.used = true;
    return entry.meaning;
  }
  return std::nullopt;
}

template <typename Entries>
Result<void> CheckUsed(const Entries& entries, std::string_view parameter) {
  std::string unused;
  for (const auto& entry : entries) {
    if (entry.used) continue;
    if (!unused.empty()) unused += ", ";
    unused += entry.placeholder;
  }
  if (unused.empty()) return {};
  return ValidationError("Value provided in " + std::string(parameter) + " unused in expressions: keys: {" + unused +
                         "}");
}

constexpr std::string_view kNames = "ExpressionAttributeNames";
constexpr std::string_view kValues = "ExpressionAttributeValues";

}  // namespace

Result<void> Bindings::AddName(std::string_view placeholder, std::string_view name) {
  if (!IsPlaceholder(placeholder, '#')) return InvalidPlaceholder(kNames, placeholder);
  name_bytes_ += placeholder.size() + name.size();
  if (name_bytes_ > base::kSubstitutionBytesMax) return TooLarge(kNames);
  names_.push_back({placeholder, name});
  return {};
}

Result<void> Bindings::AddValue(std::string_view placeholder, ValueView value) {
  if (!IsPlaceholder(placeholder, ':')) return InvalidPlaceholder(kValues, placeholder);
  value_bytes_ += placeholder.size() + value.encoded().size();
  if (value_bytes_ > base::kSubstitutionBytesMax) return TooLarge(kValues);
  values_.push_back({placeholder, value});
  return {};
}

std::optional<std::string_view> Bindings::UseName(std::string_view placeholder) {
  return FindAndUse(names_, placeholder);
}

std::optional<ValueView> Bindings::UseValue(std::string_view placeholder) { return FindAndUse(values_, placeholder); }

Result<void> Bindings::CheckAllUsed() const {
  if (Result<void> names = CheckUsed(names_, kNames); !names) return names;
  return CheckUsed(values_, kValues);
}

}  // namespace taula::expression
