// Going through a part of an ordered view (ordered_views.h), from one entry
// that a query wants to the next.
#pragma once

#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/key_range.h"
#include "catalog/table.h"
#include "engine/ordered_views.h"
#include "storage/store.h"

namespace taula::engine {

// What to read of a view.
struct ViewRead {
  ViewOrder order = ViewOrder::kByPartition;
  // For each of the key's leading attributes in the view's order, the parts
  // (key_codec.h) that it may have. Nothing when the range of keys says it all.
  std::vector<base::KeyRange> parts;
};

// Calls `visit` for the view's keys in the range, in order, until it returns
// false: with `fits` for those whose parts are wanted, without it for those that
// it comes across on the way. Where many in a row are not, it jumps over them.
[[nodiscard]] storage::Status WalkView(const storage::Reader& reader, const catalog::KeySchema& key,
                                       const ViewRead& read, storage::Range range, const storage::ScanOptions& options,
                                       base::FunctionRef<bool(std::string_view view_key, bool fits)> visit);

}  // namespace taula::engine
