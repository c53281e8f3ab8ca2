// A table as the store keeps it: an item with named attributes
// (docs/formats.md), so that a later version can add some.
#pragma once

#include <optional>
#include <string>

#include "catalog/table.h"
#include "taula/value.h"

namespace taula::catalog {

[[nodiscard]] Item EncodeTable(const Table& table);

// Nothing when the item is not a table's record. Attributes it does not know
// are ignored.
[[nodiscard]] std::optional<Table> DecodeTable(ValueView view);

}  // namespace taula::catalog
