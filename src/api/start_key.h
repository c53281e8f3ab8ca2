// ExclusiveStartKey: whether a page can start behind it.
#pragma once

#include "api/decode_faults.h"
#include "base/key_range.h"
#include "catalog/table.h"
#include "expression/key_condition.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::api {

// What is wrong with the values of the key.
[[nodiscard]] Result<void> CheckStartKeyValues(const DecodeFaults& faults);

// It must have the key attributes of the table, and of the index when there is
// one, and nothing else.
[[nodiscard]] Result<void> CheckStartKey(const catalog::Table& table, const catalog::Index* index, const Item& key);

// Whether it can have come from a query with this key condition. The key has
// the right attributes.
[[nodiscard]] Result<void> CheckStartKeyInQuery(const catalog::KeySchema& schema, const expression::KeyLookup& lookup,
                                                const Item& key);

}  // namespace taula::api
