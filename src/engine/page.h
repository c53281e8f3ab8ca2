// One page of a query or a scan: which stretch of keys, in which order, how
// far, and what to keep.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/function_ref.h"
#include "base/key_range.h"
#include "catalog/table.h"
#include "engine/view_walk.h"
#include "expression/condition.h"
#include "storage/store.h"
#include "taula/capacity.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::engine {

struct PageRequest {
  catalog::TablePtr table;
  const catalog::Index* index = nullptr;  // one of the table's, or nothing for the table itself
  base::KeyRange range;                   // within the table's or the index's space, or within the view
  // Reads in the order of a view, which is complete; nothing for the order of
  // the keys themselves.
  std::unique_ptr<const ViewRead> view;
  bool reverse = false;
  // The page starts behind this one: a key of the table, or of the index and
  // the table together.
  const Item* start_after = nullptr;
  std::optional<std::int64_t> limit;  // of items looked at, not of items kept
  bool consistent_read = false;
  const expression::Condition* filter = nullptr;
  // On a local index: look up the whole item in the table for each entry.
  bool fetch_from_table = false;
};

struct PageEnd {
  std::int64_t count = 0;          // items kept
  std::int64_t scanned_count = 0;  // items looked at
  std::optional<Item> last_key;    // there when the page may not be the last
  ConsumedCapacity capacity;
};

// Shows each item that the page keeps to `sink`, in order; the view is valid
// during the call. All of a page is one state of the database: that of `state`,
// if there is one, or the present.
[[nodiscard]] Result<PageEnd> ReadPage(const storage::Store& store, const storage::Reader* state,
                                       const PageRequest& request, base::FunctionRef<void(ValueView item)> sink);

}  // namespace taula::engine
