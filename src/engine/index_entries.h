// The entries that an item has in the indexes of its table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/table.h"
#include "codec/key_codec.h"
#include "storage/batch.h"
#include "taula/value.h"

namespace taula::engine {

// The item's key in the store. The item (or key) has all key attributes, of
// the right types.
[[nodiscard]] std::string ItemStoreKey(const catalog::Table& table, ValueView item);
// The same, up to the end of the partition key.
[[nodiscard]] std::string PartitionStoreKey(const catalog::Table& table, ValueView item);

// The key of the item's entry in an index; nothing when the item lacks an
// attribute of the index's key and so is not in it.
[[nodiscard]] std::optional<std::string> IndexStoreKey(const catalog::Table& table, const catalog::Index& index,
                                                       ValueView item);

// What the index stores of the item: a canonical map value.
[[nodiscard]] std::string ProjectItem(const catalog::Table& table, const catalog::Index& index, ValueView item);

// The keys of a table or an index that a batch puts or deletes.
[[nodiscard]] std::vector<std::string_view> KeysWritten(codec::SpaceId space, const storage::Batch& batch);

// The attributes that name an item within the table or the index: its key, or
// the index's key and the table's.
[[nodiscard]] Item KeyOf(const catalog::Table& table, const catalog::Index* index, ValueView item);

}  // namespace taula::engine
