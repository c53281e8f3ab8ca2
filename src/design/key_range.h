// Ranges of one key attribute, and the part of a KeyConditionExpression that
// reads them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "design/placeholders.h"
#include "taula/value.h"

namespace taula::design {

// The shortest text that is greater than every text which begins with `prefix`,
// in the order of keys; nothing when there is none.
[[nodiscard]] std::optional<std::string> AfterPrefix(std::string_view prefix);

// DynamoDB has no range with one end open and both given, so a condition may
// read the item at an open end too; Holds says that it is none of them.
struct KeyRange {
  struct End {
    Value value;
    bool open = false;
    friend bool operator==(const End&, const End&) = default;
  };
  std::optional<End> low;
  std::optional<End> high;
  std::optional<std::string> prefix;  // set where the range is just that of a prefix

  [[nodiscard]] static KeyRange All() { return {}; }
  [[nodiscard]] static KeyRange Of(Value value);
  [[nodiscard]] static KeyRange OfPrefix(std::string prefix);

  [[nodiscard]] bool is_all() const { return !low && !high; }
  [[nodiscard]] bool is_one() const { return low && high && !low->open && !high->open && low->value == high->value; }
  [[nodiscard]] bool Holds(ValueView key) const;
  // No key is in it, whatever there is.
  [[nodiscard]] bool is_empty() const;

  void Intersect(const KeyRange& other);
  // The smallest range that holds both.
  void Extend(const KeyRange& other);

  // Empty for all keys.
  [[nodiscard]] std::string Condition(std::string_view attribute, Placeholders& placeholders) const;

  friend bool operator==(const KeyRange&, const KeyRange&) = default;
};

}  // namespace taula::design
