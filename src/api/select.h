// Select: what Query and Scan answer with of each item.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "catalog/table.h"
#include "taula/error.h"
#include "taula/requests.h"

namespace taula::api {

// Whether Select goes with the parameters around it.
[[nodiscard]] Result<void> CheckSelect(std::optional<Select> select, bool has_attributes_to_get, bool has_projection,
                                       bool has_index);

// Top-level attributes.
using AttributeList = std::vector<std::string_view>;

// Whether an index has what a Query's filter looks at; it does not look into
// the table for that, even where the answer comes from there. `index` may be
// null.
[[nodiscard]] Result<void> CheckFilterProjected(const catalog::Table& table, const catalog::Index* index,
                                                const AttributeList& named_by_filter);

// Whether the wanted attributes must be looked up in the table, for which a
// local index is good but a global one is not. `index` may be null; without
// `wanted` it is all that the index has.
[[nodiscard]] Result<bool> NeedsTable(const catalog::Table& table, const catalog::Index* index,
                                      std::optional<Select> select, const std::optional<AttributeList>& wanted);

}  // namespace taula::api
