// Between an entity's attributes and the item that holds them: keys written and
// read back, ids, timestamps and defaults filled in. The same rules as those a
// table keeps by itself (rules.h), for servers that do not keep designs and for
// answers.
//
// Attributes of an entity are an Item without keys: flat, every attribute under
// its own name whether the entity keeps it inside a map or not.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "design/model.h"
#include "engine/item_rules.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::design {

class EntityRules;

// Keeps a copy of what it needs of the design. Entities are named as in the
// design; one that does not exist is a mistake of the caller. May be used by
// several threads.
class Deriver {
 public:
  explicit Deriver(const Design& design);
  ~Deriver();
  Deriver(const Deriver&) = delete;
  Deriver& operator=(const Deriver&) = delete;

  // The primary key, from `attributes` that may hold more than it needs. What
  // is missing is never generated. The error says which attribute is.
  [[nodiscard]] Result<Item> KeyOf(std::string_view entity, ValueView attributes) const;

  // The whole item to put: ids (those in the key too), timestamps, defaults,
  // `type` attributes, keys of the table and of the indexes. `before` is the
  // item that it replaces, if it is known. The error is the one that a table
  // which keeps the design would answer; problems are errors unless the
  // entity's checks are off.
  [[nodiscard]] Result<Item> ItemOf(std::string_view entity, ValueView attributes, std::optional<ValueView> before,
                                    std::int64_t now_ms) const;

  // The item to write where an update makes `after` of `before`, both whole
  // items with keys: index keys derived anew, on-write timestamps moved.
  [[nodiscard]] Result<Item> Updated(std::string_view entity, ValueView before, ValueView after,
                                     std::int64_t now_ms) const;

  // What the item claims for itself alone, for guard items.
  [[nodiscard]] std::vector<engine::Claim> ClaimsOf(std::string_view entity, ValueView item) const;

  // Which entity an item of a table (Table::id) is; nothing when it is none.
  [[nodiscard]] std::optional<std::string_view> EntityOf(std::string_view table, ValueView item) const;

  // The entity's attributes in an item or a part of one: keys and `type`
  // attributes removed, `map` flattened, what stands only in the key added with
  // its type, secrets left out. Attributes that the design does not know stay.
  [[nodiscard]] Item AttributesOf(std::string_view entity, ValueView item) const;

  // One attribute where the entity keeps it, a secret one too; only what is
  // stored.
  [[nodiscard]] std::optional<ValueView> Find(std::string_view entity, std::string_view attribute,
                                              ValueView item) const;

 private:
  [[nodiscard]] const EntityRules& Rules(std::string_view entity) const;

  struct Entry;
  std::vector<Entry> entries_;  // one for each entity, as in the design
};

}  // namespace taula::design
