// What the values in an operation come to when it runs: parameters, names of
// its own, times and new ids.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "design/model.h"
#include "taula/value.h"

namespace taula::design {

// The names that an operation's values may refer to. {now}, {now+7d}, {today},
// {ulid} and {uuid} are always there; an id is new each time it is asked for.
class Scope {
 public:
  explicit Scope(std::int64_t now_ms) : now_ms_(now_ms) {}
  // Sees everything of `outer`, which must outlive it.
  explicit Scope(const Scope& outer, std::string variable, Value element);

  void Set(std::string_view name, Value value);

  // "name" or "name.field.field". A time comes in the form that the shape, an
  // attribute's, has; milliseconds without one.
  [[nodiscard]] std::optional<Value> Find(std::string_view reference, const Attribute* shape = nullptr) const;

  // What a step takes for an attribute that it is not given: the field of the
  // element that it runs for, otherwise the name itself.
  [[nodiscard]] std::optional<Value> Implied(std::string_view attribute) const;

  // The field of the element alone.
  [[nodiscard]] std::optional<Value> ElementField(std::string_view name) const;
  // Whether the name was given as NULL, which Find takes for absent.
  [[nodiscard]] bool IsNull(std::string_view name) const;

  [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }

 private:
  [[nodiscard]] std::optional<ValueView> FindName(std::string_view name) const;

  std::int64_t now_ms_;
  const Scope* outer_ = nullptr;
  std::string variable_;  // that of `for`
  std::vector<std::pair<std::string, Value>> values_;
};

// Whether a reference is one of those that are made when the operation runs.
[[nodiscard]] bool IsMade(std::string_view reference);

// How far "now+7d" and "now-1h" are from now; nothing for any other text.
[[nodiscard]] std::optional<std::int64_t> OffsetFromNow(std::string_view reference);

// What a term refers to, each once, in order; without what is made.
[[nodiscard]] std::vector<std::string> ReferencesOf(const Term& term);

// The text that a value has in a key or inside of other text; nothing for
// lists, maps, sets, binaries and NULL.
[[nodiscard]] std::optional<std::string> TextOf(ValueView value);

// Nothing when it is a single reference that has no value; in a map such a
// field is left out. A value is brought to the shape's type, if there is one.
// The error is a sentence.
[[nodiscard]] std::expected<std::optional<Value>, std::string> Evaluate(const Term& term, const Scope& scope,
                                                                        const Attribute* shape = nullptr);

}  // namespace taula::design
