// An item of an entity as it is to be written: attributes set and checked, index
// keys derived.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "catalog/item_rules.h"
#include "design/compiled_entity.h"
#include "design/warning_log.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::design {

// As ItemRules::Keep. `key` is the match of the item's own key.
[[nodiscard]] Result<std::optional<Item>> KeepItem(const CompiledEntity& entity, const catalog::ItemChange& change,
                                                   const KeyMatch& key, WarningLog& warnings);

// What becomes of a problem: an error, or no more than a warning.
[[nodiscard]] Result<void> Report(Checks checks, std::string message, WarningLog& warnings);

// What a new item gets for an attribute that it does not have: an id, the time,
// the default; nothing for most attributes.
[[nodiscard]] std::optional<Value> NewValue(const Attribute& attribute, std::int64_t now_ms);

}  // namespace taula::design
