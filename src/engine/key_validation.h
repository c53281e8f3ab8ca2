// Whether the key of an item fits the key schema of its table.
#pragma once

#include "catalog/table.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::engine {

// For a key by which an item is looked up: the key attributes, all of them and
// nothing else, of the right types.
[[nodiscard]] Result<void> CheckKey(const catalog::KeySchema& schema, MapView key);

// For an item that is put, which says more of what is wrong.
[[nodiscard]] Result<void> CheckItemKey(const catalog::KeySchema& schema, MapView item);

// For an item that is put in a batch: the messages of CheckKey, but other
// attributes may be there.
[[nodiscard]] Result<void> CheckBatchItemKey(const catalog::KeySchema& schema, MapView item);

// Whether those key attributes that are there have a value.
[[nodiscard]] Result<void> CheckKeyNotEmpty(const catalog::KeySchema& schema, MapView item);

}  // namespace taula::engine
