#include "engine/begun_table.h"

#include <algorithm>
#include <initializer_list>

#include "engine/change_log.h"
#include "engine/claims.h"
#include "engine/expiry.h"
#include "engine/history.h"
#include "engine/ordered_views.h"
#include "engine/statistics.h"

namespace taula::engine {

bool EraseAllOf(storage::Store& store, codec::SpaceId space) {
  const std::initializer_list<storage::Range> ranges = {
      codec::SpaceRange(space), ViewsRange(space),   StatisticsRange(space),  CollectionRange(space),
      ClaimRange(space),        ChangesRange(space), AllExpiriesRange(space), HistoryRange(space)};
  return std::ranges::all_of(
      ranges, [&](const storage::Range& range) { return store.EraseRange(range) == storage::Status::kOk; });
}

bool EraseBegun(storage::Store& store, const catalog::Table& table) {
  return EraseAllOf(store, table.space) && std::ranges::all_of(table.indexes, [&](const catalog::Index& index) {
           return EraseAllOf(store, index.space);
         });
}

bool PublishBegun(catalog::Catalog& catalog, const catalog::Table& filled) {
  const auto changed = catalog.Change(filled.name, [&](catalog::Table& table) -> Result<void> {
    if (table.id != filled.id || table.rules != filled.rules) return Fail(ErrorCode::kResourceNotFoundException, "");
    table.status = TableStatus::kActive;
    if (table.restore) table.restore->in_progress = false;
    return {};
  });
  return changed.has_value();
}

void RemoveBegun(catalog::Catalog& catalog, std::string_view name, std::string_view id) {
  (void)catalog.Remove(name, [&](const catalog::Table& table) -> Result<void> {
    if (table.id != id) return Fail(ErrorCode::kResourceNotFoundException, "");
    return {};
  });
}

}  // namespace taula::engine
