// Feeds the counts of the keys that are asked for most (key_counts.h), for
// tables and indexes whose insights are on.
#pragma once

#include <algorithm>
#include <cstdint>

#include "catalog/table.h"
#include "engine/key_counts.h"
#include "storage/batch.h"
#include "taula/capacity.h"
#include "taula/value.h"

namespace taula::engine {

// Whether any keys of the table, or of an index of it, are counted.
[[nodiscard]] inline bool WatchesKeys(const catalog::Table& table) {
  return table.contributor_insights.has_value() ||
         std::ranges::any_of(table.indexes, [](const auto& index) { return index.contributor_insights.has_value(); });
}

// Whose keys were asked for: a table's, or an index's.
struct KeysOf {
  const catalog::Table& table;
  const catalog::Index* index = nullptr;
};

// One item, by its whole key. `item` has the attributes of the key.
void CountItem(KeyCounts& counts, const KeysOf& of, KeyEvent event, ValueView item, double units, std::int64_t now_ms);

// A query: the partition of `item`, which it has found.
void CountQuery(KeyCounts& counts, const KeysOf& of, ValueView item, double units, std::int64_t now_ms);

// A write of an item and of the entries in indexes that `batch` puts.
void CountWrite(KeyCounts& counts, const catalog::Table& table, KeyEvent event, ValueView item,
                const ConsumedCapacity& capacity, const storage::Batch& batch, std::int64_t now_ms);

}  // namespace taula::engine
