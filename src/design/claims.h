// What an item claims for itself alone, by the unique rules of its entity.
#pragma once

#include <string>
#include <vector>

#include "catalog/item_rules.h"
#include "design/compiled_entity.h"
#include "taula/value.h"

namespace taula::design {

// One claim for each unique rule all of whose attributes the item has. Values
// count as they are stored; only where a key of the entity holds the attribute
// in lower or upper case ("{email:lower}") are they compared in that case. An
// item that is deleted softly is still there, and keeps its claims.
//
// A claim's name, with strings and encoded values behind their length as a
// varint; persisted with the claims:
//
//   entity  attribute value  attribute value …
[[nodiscard]] std::vector<catalog::Claim> ClaimsOf(const CompiledEntity& entity, ValueView item, const KeyMatch& key);

// Text that is another one whenever other items are of the entity or the same
// items claim something else.
[[nodiscard]] std::string DescribeClaims(const CompiledEntity& entity);

}  // namespace taula::design
