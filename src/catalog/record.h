// Writing and reading the named attributes of a catalog record.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/enum_names.h"
#include "taula/value.h"

namespace taula::catalog {

// Attributes that are not set are left out.
class RecordWriter {
 public:
  void Set(std::string_view name, const Value& value) { item_.Set(name, value); }
  void Text(std::string_view name, std::optional<std::string_view> text) {
    if (text) Set(name, Value(*text));
  }
  void Number(std::string_view name, std::optional<std::int64_t> number) {
    if (number) Set(name, Value(*number));
  }
  // Seconds, kept in milliseconds.
  void Time(std::string_view name, std::optional<double> seconds) {
    if (seconds) Number(name, std::llround(*seconds * 1000));
  }
  void Flag(std::string_view name, bool truth) {
    if (truth) Set(name, Value(true));
  }
  template <typename Enum>
  void Named(std::string_view name, Enum value) {
    Text(name, NameOf(value));
  }
  template <typename Enum>
  void Named(std::string_view name, const std::optional<Enum>& value) {
    if (value) Named(name, *value);
  }

  [[nodiscard]] Item TakeItem() { return std::move(item_); }
  [[nodiscard]] Value TakeValue() { return Value(item_.view()); }

 private:
  Item item_;
};

// Reads attributes of the type they should have; one that is missing or of
// another type reads as nothing.
class RecordReader {
 public:
  explicit RecordReader(MapView attributes) : attributes_(attributes) {}

  [[nodiscard]] std::optional<ValueView> Find(std::string_view name, Type type) const {
    const std::optional<ValueView> value = attributes_.Find(name);
    return value && value->type() == type ? value : std::nullopt;
  }
  [[nodiscard]] std::optional<std::string> Text(std::string_view name) const {
    const std::optional<ValueView> value = Find(name, Type::kString);
    if (!value) return std::nullopt;
    return std::string(value->bytes());
  }
  [[nodiscard]] std::optional<std::int64_t> Number(std::string_view name) const {
    const std::optional<ValueView> value = Find(name, Type::kNumber);
    if (!value) return std::nullopt;
    const std::string text = value->number_text();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
  }
  [[nodiscard]] std::optional<double> Time(std::string_view name) const {
    const std::optional<std::int64_t> milliseconds = Number(name);
    if (!milliseconds) return std::nullopt;
    return static_cast<double>(*milliseconds) / 1000;
  }
  [[nodiscard]] bool Flag(std::string_view name) const {
    const std::optional<ValueView> value = Find(name, Type::kBool);
    return value && value->boolean();
  }
  template <typename Enum>
  [[nodiscard]] std::optional<Enum> Named(std::string_view name) const {
    const std::optional<ValueView> value = Find(name, Type::kString);
    return value ? FromName<Enum>(value->bytes()) : std::nullopt;
  }
  [[nodiscard]] std::optional<RecordReader> Map(std::string_view name) const {
    const std::optional<ValueView> value = Find(name, Type::kMap);
    if (!value) return std::nullopt;
    return RecordReader(value->map());
  }
  // Calls visit(RecordReader) for each map in a list; false when the list is
  // missing, something else is in it or visit says so.
  template <typename Visit>
  [[nodiscard]] bool ForEach(std::string_view name, Visit&& visit) const {
    const std::optional<ValueView> value = Find(name, Type::kList);
    if (!value) return false;
    for (const ValueView element : value->list()) {
      if (element.type() != Type::kMap || !visit(RecordReader(element.map()))) return false;
    }
    return true;
  }

 private:
  MapView attributes_;
};

}  // namespace taula::catalog
