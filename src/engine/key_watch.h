// Feeds the counts of the keys that are asked for most (key_counts.h), for
// tables and indexes whose insights are on. Keys come as they are in the store.
//
// What was accessed weighs as Amazon's insights weigh it: read units once, write
// units three times. What was throttled weighs one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "catalog/table.h"
#include "engine/key_counts.h"
#include "storage/batch.h"
#include "taula/capacity.h"

namespace taula::engine {

// Whether any keys of the table, or of an index of it, are counted.
[[nodiscard]] inline bool WatchesKeys(const catalog::Table& table) {
  return table.contributor_insights.has_value() ||
         std::ranges::any_of(table.indexes, [](const auto& index) { return index.contributor_insights.has_value(); });
}

// A read of one item of a table.
void CountItemRead(KeyCounts& counts, const catalog::Table& table, std::string_view store_key, double read_units,
                   std::int64_t now_ms);

// A query, by any key of the one partition that it reads. A local index is asked
// for the table's keys.
void CountQuery(KeyCounts& counts, const catalog::Table& table, const catalog::Index* index, KeyEvent event,
                std::string_view store_key, double read_units, std::int64_t now_ms);

// A write of an item and of what `batch` changes in the table's indexes.
void CountWrite(KeyCounts& counts, const catalog::Table& table, std::string_view store_key,
                const ConsumedCapacity& capacity, const storage::Batch& batch, std::int64_t now_ms);

// An item that was not read or written for want of the table's capacity.
void CountThrottledItem(KeyCounts& counts, const catalog::Table& table, std::string_view store_key,
                        std::int64_t now_ms);

}  // namespace taula::engine
