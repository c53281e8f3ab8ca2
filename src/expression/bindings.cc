#include "expression/bindings.h"

#include <algorithm>
#include <numeric>
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

// Amazon tells the size of a name's placeholder only.
std::unexpected<Error> TooLong(std::string_view parameter, const std::string& size) {
  return ValidationError(std::string(parameter) +
                         " contains invalid key: The expression attribute map contains a key that is too long;" + size);
}

std::unexpected<Error> TooLarge(std::string_view parameter) {
  return ValidationError(std::string(parameter) + " exceeds max size");
}

constexpr std::string_view kNames = "ExpressionAttributeNames";
constexpr std::string_view kValues = "ExpressionAttributeValues";
constexpr std::size_t kSearchedLinearly = 16;

}  // namespace

template <typename T>
typename Bindings::Table<T>::Entry* Bindings::Table<T>::Find(std::string_view placeholder) {
  if (entries_.size() <= kSearchedLinearly) {
    const auto found = std::ranges::find(entries_, placeholder, &Entry::placeholder);
    return found == entries_.end() ? nullptr : &*found;
  }
  const auto placeholder_of = [this](std::uint32_t entry) { return entries_[entry].placeholder; };
  if (order_.size() != entries_.size()) {
    order_.resize(entries_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::sort(order_, {}, placeholder_of);
  }
  const auto found = std::ranges::lower_bound(order_, placeholder, {}, placeholder_of);
  return found == order_.end() || placeholder_of(*found) != placeholder ? nullptr : &entries_[*found];
}

template <typename T>
std::optional<T> Bindings::Table<T>::Use(std::string_view placeholder) {
  Entry* entry = Find(placeholder);
  if (entry == nullptr) return std::nullopt;
  entry->used = true;
  return entry->meaning;
}

template <typename T>
Result<void> Bindings::Table<T>::CheckAllUsed(std::string_view parameter) const {
  std::string unused;
  for (const Entry& entry : entries_) {
    if (entry.used) continue;
    if (!unused.empty()) unused += ", ";
    unused += entry.placeholder;
  }
  if (unused.empty()) return {};
  return ValidationError("Value provided in " + std::string(parameter) + " unused in expressions: keys: {" + unused +
                         "}");
}

Result<void> Bindings::AddName(std::string_view placeholder, std::string_view name) {
  if (placeholder.size() > base::kPlaceholderBytesMax) {
    return TooLong(kNames, " size of key: " + std::to_string(placeholder.size()));
  }
  if (!IsPlaceholder(placeholder, '#')) return InvalidPlaceholder(kNames, placeholder);
  if (name.empty()) {
    return ValidationError(std::string(kNames) + " contains invalid value: Empty attribute name for key " +
                           std::string(placeholder));
  }
  if (name.size() > base::kAttributeNameBytesMax) {
    return ValidationError("Attribute name is too large, must be less than 65536 bytes");
  }
  name_bytes_ += placeholder.size() + name.size();
  if (name_bytes_ > base::kSubstitutionBytesMax) return TooLarge(kNames);
  names_.Add(placeholder, name);
  return {};
}

Result<void> Bindings::AddValue(std::string_view placeholder, ValueView value) {
  if (placeholder.size() > base::kPlaceholderBytesMax) return TooLong(kValues, "");
  if (!IsPlaceholder(placeholder, ':')) return InvalidPlaceholder(kValues, placeholder);
  value_bytes_ += placeholder.size() + value.encoded().size();
  if (value_bytes_ > base::kSubstitutionBytesMax) return TooLarge(kValues);
  values_.Add(placeholder, value);
  return {};
}

std::optional<std::string_view> Bindings::UseName(std::string_view placeholder) { return names_.Use(placeholder); }

std::optional<ValueView> Bindings::UseValue(std::string_view placeholder) { return values_.Use(placeholder); }

Result<void> Bindings::CheckAllUsed() const {
  if (Result<void> names = names_.CheckAllUsed(kNames); !names) return names;
  return values_.CheckAllUsed(kValues);
}

}  // namespace taula::expression
