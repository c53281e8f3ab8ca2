// Unique values on servers that keep no designs: an item of its own for each,
// written and removed in the transaction that writes and removes the value.
#pragma once

#include <string>
#include <vector>

#include "design/execution.h"
#include "design/model.h"
#include "taula/value.h"

namespace taula::design {

struct Guard {
  std::vector<std::string> rule;  // the attributes that are unique together
  Item key;                       // "UNIQUE#User#email#a@example.com", in both parts
  std::string meaning;            // "email 'a@example.com' of a User"

  friend bool operator==(const Guard& a, const Guard& b) { return a.key == b.key; }
};

// One for each rule all of whose attributes the item has.
[[nodiscard]] std::vector<Guard> GuardsOf(const Execution& execution, const Entity& entity, ValueView item);

// Whether an index shows another item with the guard's values: one that was
// written without a guard, by a client that knows nothing of them.
[[nodiscard]] Outcome<bool> IsHeldByAnother(const Execution& execution, const Entity& entity, const Guard& guard,
                                            ValueView item);

}  // namespace taula::design
