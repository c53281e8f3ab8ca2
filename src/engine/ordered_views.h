// Ordered views: what a query over many partitions reads (the range-queries
// extension). Items and index entries lie by the hash of their partition key,
// so partitions are in no order. A table that has the extension keeps, for
// itself and each of its global indexes, the keys once more in order:
//
//   by partition:  partition key, sort key, then the table's key in an index
//   by sort key:   sort key, partition key, then the table's key in an index
//
// A view's entry has no value. Its key tells the key of the item or index entry
// that it stands for, which has the same parts. So a view changes only when
// that key comes or goes, with it in one batch, and is in no counter.
// Local indexes have no views. Without a sort key there is only the first one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/key_range.h"
#include "catalog/table.h"
#include "codec/key_codec.h"
#include "storage/batch.h"

namespace taula::engine {

// Persisted (docs/formats.md): do not change.
enum class ViewOrder : char { kByPartition = 'p', kBySort = 's' };

// In all that follows `index` is one of the table's, or nothing for the table
// itself.

// Whether writes keep the views; they can be read once they are complete.
[[nodiscard]] inline bool KeepsViews(const catalog::Table& table, const catalog::Index* index) {
  return table.range_queries.has_value() && (index == nullptr || index->global);
}
[[nodiscard]] inline bool HasCompleteViews(const catalog::Table& table, const catalog::Index* index) {
  return KeepsViews(table, index) && table.range_queries == IndexStatus::kActive;
}

[[nodiscard]] std::vector<ViewOrder> ViewOrders(const catalog::KeySchema& key);

// What all keys of a view begin with.
[[nodiscard]] std::string ViewPrefix(codec::SpaceId space, ViewOrder order);
// All views of a space.
[[nodiscard]] base::KeyRange ViewsRange(codec::SpaceId space);

// From the key of an item or an index entry to the key in the view, and back.
[[nodiscard]] std::string ViewKey(const catalog::Table& table, const catalog::Index* index, ViewOrder order,
                                  std::string_view store_key);
[[nodiscard]] std::string ViewedKey(const catalog::Table& table, const catalog::Index* index, ViewOrder order,
                                    std::string_view view_key);
// The key of the item that a view's entry belongs to, in an index's view too.
[[nodiscard]] std::string ViewedItemKey(const catalog::Table& table, const catalog::Index* index, ViewOrder order,
                                        std::string_view view_key);

// Adds or removes what stands for an item or index entry in all its views.
void PutInViews(const catalog::Table& table, const catalog::Index* index, std::string_view store_key,
                storage::Batch& batch);
void DeleteFromViews(const catalog::Table& table, const catalog::Index* index, std::string_view store_key,
                     storage::Batch& batch);

}  // namespace taula::engine
