// Writes of single items, as steps of a transaction or alone: what is written,
// under which condition, and what it means when that fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "design/calls.h"
#include "design/failure.h"
#include "design/model.h"
#include "design/placeholders.h"
#include "taula/value.h"

namespace taula::design {

// A value that was read before and must still be there when something is
// written that was made of it.
struct Binding {
  std::vector<std::string> path;
  std::optional<Value> expected;  // nothing: there must be none

  [[nodiscard]] bool Holds(ValueView item) const;
};

struct Action {
  enum class Kind : std::uint8_t { kPut, kUpdate, kDelete, kCheck };
  // Why it is there, which says what its failing means.
  enum class Purpose : std::uint8_t { kCreate, kPut, kUpdate, kDelete, kCheck, kRead, kGuard, kFreedGuard };

  Kind kind = Kind::kPut;
  Purpose purpose = Purpose::kPut;
  const Entity* entity = nullptr;
  std::optional<std::size_t> step;  // of a transaction
  std::string table;
  Item key;
  Item item;                        // to put
  std::vector<std::string> set;     // of an update expression: "#a = :v1"
  std::vector<std::string> remove;  // "#a"
  std::string condition;
  bool has_own_condition = false;  // the operation's `if`
  bool must_not_be_deleted = false;
  std::vector<Binding> bindings;
  Placeholders placeholders;
  std::string meaning;  // of a guard: "email 'a@example.com' of a User"

  // Adds the condition too.
  void Bind(Binding binding);
  [[nodiscard]] std::string UpdateExpression() const;
};

// The item that the update makes of `before`; its error is the server's.
[[nodiscard]] Result<Item> ApplyLocally(const Action& update, ValueView before);

// What became of actions: `attributes` is what a single one returned (the item
// after an update, before a delete).
struct Performed {
  std::optional<Item> attributes;
};

struct NotPerformed {
  Failure failure;
  bool has_changed = false;  // what was read before: it is worth to begin anew
};

// What it means that the action's condition is not met by the item as it is.
[[nodiscard]] NotPerformed Unmet(const Action& action, const std::optional<Item>& item);

// Whether the item as it is meets the action's condition.
[[nodiscard]] Result<bool> MeetsCondition(const Action& action, const std::optional<Item>& item);

// All or nothing.
[[nodiscard]] std::expected<Performed, NotPerformed> Perform(const Calls& calls, std::span<const Action> actions);

}  // namespace taula::design
