// What the placeholders of a request's expressions stand for:
// ExpressionAttributeNames and ExpressionAttributeValues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "taula/error.h"
#include "taula/value.h"

namespace taula::expression {

// One for each request. Keeps views: names and values must outlive it and
// everything bound with it, and stay where they are.
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
  // Placeholders in the order of the request. Most requests have a few, which
  // are looked through; a hostile one's are sorted first.
  template <typename T>
  class Table {
   public:
    void Add(std::string_view placeholder, T meaning) { entries_.push_back({placeholder, meaning}); }
    [[nodiscard]] std::optional<T> Use(std::string_view placeholder);
    [[nodiscard]] Result<void> CheckAllUsed(std::string_view parameter) const;

   private:
    struct Entry {
      std::string_view placeholder;
      T meaning;
      bool used = false;
    };

    [[nodiscard]] Entry* Find(std::string_view placeholder);

    std::vector<Entry> entries_;
    std::vector<std::uint32_t> order_;  // empty as long as it is not needed
  };

  Table<std::string_view> names_;
  Table<ValueView> values_;
  std::size_t name_bytes_ = 0;
  std::size_t value_bytes_ = 0;
};

}  // namespace taula::expression
