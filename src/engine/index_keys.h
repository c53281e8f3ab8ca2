// Whether an item's attributes can be keys of its table's indexes.
#pragma once

#include <optional>

#include "catalog/table.h"
#include "expression/update.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::engine {

// For an item that is put: an attribute that is an index key must have the
// index's type, must not be empty and not too long. Absent is fine, the item is
// then not in the index.
[[nodiscard]] Result<void> CheckIndexKeys(const catalog::Table& table, ValueView item);

// For the item that an update has made of another: looks only at what it
// changed.
[[nodiscard]] Result<void> CheckUpdatedIndexKeys(const catalog::Table& table, const expression::Update& update,
                                                 ValueView old_item, ValueView new_item);

}  // namespace taula::engine
