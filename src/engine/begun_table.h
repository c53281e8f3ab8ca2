// A table that is being filled, by a restore or an import: it is CREATING, and
// nobody else reads or writes it until it is published.
#pragma once

#include <string_view>

#include "catalog/catalog.h"
#include "catalog/table.h"
#include "storage/store.h"

namespace taula::engine {

// Erases all that is kept under a space, of whatever kind. False when the store
// fails.
[[nodiscard]] bool EraseAllOf(storage::Store& store, codec::SpaceId space);

// What an attempt that was interrupted has left of items and index entries.
[[nodiscard]] bool EraseBegun(storage::Store& store, const catalog::Table& table);

// Makes it ACTIVE, as the version of it says that was filled. False when that
// could not be written, or when the table has been given other rules meanwhile:
// its items have not kept those.
[[nodiscard]] bool PublishBegun(catalog::Catalog& catalog, const catalog::Table& filled);

void RemoveBegun(catalog::Catalog& catalog, std::string_view name, std::string_view id);

}  // namespace taula::engine
