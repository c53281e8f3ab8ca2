// What a table asks of its items beyond DynamoDB's own rules. Every write of an
// item, from whichever operation, goes through here on its way from the old
// item to the new one; a design implements it (design/rules.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "taula/error.h"
#include "taula/value.h"

namespace taula::catalog {

struct ItemChange {
  std::optional<ValueView> before;  // nothing when there was no item
  ValueView after;                  // as the request makes it
  bool is_update = false;           // by an update expression; otherwise a whole item was put
  std::int64_t now_ms = 0;
};

// A value that an item has for itself alone: no other item of the table may
// have the same claim.
struct Claim {
  std::string name;     // of the rule and the value, in bytes of the rules' own
  std::string meaning;  // for people: "email 'a@example.com' of entity User"
};

class ItemRules {
 public:
  virtual ~ItemRules() = default;

  // The item as it is to be written, nothing when it is right as it is, or why
  // it may not be. Never changes the table's key. Pure: the same change gives
  // the same item, apart from generated ids.
  [[nodiscard]] virtual Result<std::optional<Item>> Keep(const ItemChange& change) const = 0;

  // What an item claims; nothing for an item that the rules do not know.
  [[nodiscard]] virtual std::vector<Claim> Claims(ValueView item) const = 0;

  // Names the set of rules that make items claim something, and changes
  // whenever Claims would; empty when nothing is ever claimed.
  [[nodiscard]] virtual std::string_view claims_id() const = 0;

  // Whether tables that are made under these rules have the range-queries
  // extension (table.h).
  [[nodiscard]] virtual bool range_queries() const { return false; }
};

}  // namespace taula::catalog
