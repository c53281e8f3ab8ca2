// An item as a read finds it, and the names of the items a read asks for.
#pragma once

#include <cstddef>

#include "catalog/table.h"
#include "taula/value.h"

namespace taula::engine {

struct StoredItem {
  ValueView item;    // a map
  std::size_t size;  // in DynamoDB's accounting
};

struct KeyInTable {
  const catalog::Table* table;
  const Item* key;
};

}  // namespace taula::engine
