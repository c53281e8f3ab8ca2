// What a table asks of its items beyond DynamoDB's own rules. Every write of an
// item, from whichever operation, goes through here on its way from the old
// item to the new one; a design implements it (design/rules.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "taula/error.h"
#include "taula/value.h"

namespace taula::engine {

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
  std::string meaning;  // for people: "email 'a@example.com' of a User"
};

class ItemRules {
 public:
  virtual ~ItemRules() = default;

  // The item as it is to be written, nothing when it is right as it is, or why
  // it may not be. Pure: the same change gives the same item, apart from
  // generated ids.
  [[nodiscard]] virtual Result<std::optional<Item>> Keep(const ItemChange& change) const = 0;

  // What an item claims. An item that Keep has passed may be asked.
  [[nodiscard]] virtual std::vector<Claim> Claims(ValueView item) const = 0;

  // Whether any item claims anything, so that nothing is paid where none does.
  [[nodiscard]] virtual bool has_claims() const = 0;
};

}  // namespace taula::engine
