// Between an entity's attributes and the item that holds them: keys written and
// read back, ids, timestamps and defaults filled in. The same rules as those a
// table keeps by itself (rules.h), for servers that do not keep designs and for
// answers.
//
// Attributes of an entity are an Item without keys: every attribute under its
// own name, whether the entity keeps it inside a map or not.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/item_rules.h"
#include "design/model.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::design {

class CompiledEntity;
class DesignRules;

// Keeps a copy of what it needs of the design. Entities are named as in the
// design; one that does not exist is a mistake of the caller. For any number of
// threads.
class Deriver {
 public:
  explicit Deriver(const Design& design);

  // The primary key, from `attributes` that may hold more than it needs. What
  // is missing is never generated; the error says which attribute it is.
  [[nodiscard]] Result<Item> KeyOf(std::string_view entity, ValueView attributes) const;

  // The whole item to put: ids (those in the key too), timestamps, defaults,
  // `type` attributes, keys of the table and of the indexes. Attributes may also
  // stand inside the entity's map. `before` is the item that it replaces, if it
  // is known. The error is the one that a table which keeps the design answers.
  [[nodiscard]] Result<Item> ItemOf(std::string_view entity, ValueView attributes, std::optional<ValueView> before,
                                    std::int64_t now_ms) const;

  // The item to write where an update makes `after` of `before`, both whole
  // items with keys: index keys derived anew, on-write timestamps moved.
  [[nodiscard]] Result<Item> Updated(std::string_view entity, ValueView before, ValueView after,
                                     std::int64_t now_ms) const;

  // What an item claims for itself alone (claims.h), for guard items.
  [[nodiscard]] std::vector<catalog::Claim> ClaimsOf(std::string_view entity, ValueView item) const;

  // Which entity an item of a table (Table::id) is; nothing when it is none.
  [[nodiscard]] std::optional<std::string_view> EntityOf(std::string_view table, ValueView item) const;

  // The entity's attributes in an item or a part of one: keys and `type`
  // attributes removed, the map flattened, what stands only in the key added
  // with its type, secrets left out. Attributes that the design does not know
  // stay.
  [[nodiscard]] Item AttributesOf(std::string_view entity, ValueView item) const;

  // One attribute where the entity keeps it, a secret one too; only what is
  // stored.
  [[nodiscard]] std::optional<ValueView> Find(std::string_view entity, std::string_view attribute,
                                              ValueView item) const;

 private:
  struct Named {
    const DesignRules& rules;
    const CompiledEntity& entity;
  };
  [[nodiscard]] Named Entity(std::string_view name) const;

  std::vector<std::pair<std::string, std::shared_ptr<const DesignRules>>> tables_;  // by Table::id
};

}  // namespace taula::design
