// What the placeholders of a request's expressions stand for:
// ExpressionAttributeNames and ExpressionAttributeValues.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "taula/error.h"
#include "taula/value.h"

namespace taula::expression {

// One for each request. Keeps views: names and values must outlive it, and
// everything bound with it.
//
//   Bindings bindings;
//   for (…) bindings.AddName("#n", "name");      // each says what is wrong with it
//   for (…) bindings.AddValue(":v", value);
//   … bind all expressions of the request …
//   bindings.CheckAllUsed();
class Bindings {
 public:
  [[nodiscard]] Result<void> AddName(std::string_view placeholder, std::string_view name);
  [[nodiscard]] Result<void> AddValue(std::string_view placeholder, ValueView value);

  // What a placeholder stands for, which is used from now on.
  [[nodiscard]] std::optional<std::string_view> UseName(std::string_view placeholder);
  [[nodiscard]] std::optional<ValueView> UseValue(std::string_view placeholder);

  // The error for names, then values, that no expression used.
  [[nodiscard]] Result<void> CheckAllUsed() const;

 private:
  template <typename T>
  struct Entry {
    std::string_view placeholder;
    T meaning;
    bool used = false;
  };

  std::vector<Entry<std::string_view>> names_;
  std::vector<Entry<ValueView>> values_;
  std::size_t name_bytes_ = 0;
  std::size_t value_bytes_ = 0;
};

}  // namespace taula::expression
