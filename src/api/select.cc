#include "api/select.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace taula::api {
namespace {

std::string_view WordsFor(Select select) {
  switch (select) {
    case Select::kAllAttributes:
      return "ALL_ATTRIBUTES";
    case Select::kAllProjectedAttributes:
      return "ALL_PROJECTED_ATTRIBUTES";
    case Select::kSpecificAttributes:
      return "SPECIFIC_ATTRIBUTES";
    case Select::kCount:
      return "only the Count";
  }
  return {};
}

// Those names that the index has not, as messages list them.
std::string ListUnprojected(const catalog::Table& table, const catalog::Index& index, const AttributeList& names) {
  std::string missing;
  for (const std::string_view name : names) {
    if (index.Projects(name, table.key)) continue;
    if (!missing.empty()) missing += ", ";
    missing += name;
  }
  return missing;
}

}  // namespace

Result<void> CheckSelect(std::optional<Select> select, bool has_attributes_to_get, bool has_projection,
                         bool has_index) {
  if (!select) return {};
  const bool specific = has_attributes_to_get || has_projection;
  if (*select == Select::kSpecificAttributes) {
    if (specific) return {};
    return ValidationError(
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES");
  }
  if (specific) {
    return ValidationError(fmt::format("Cannot specify the {} when choosing to get {}",
                                       has_projection ? "ProjectionExpression" : "AttributesToGet", WordsFor(*select)));
  }
  if (*select == Select::kAllProjectedAttributes && !has_index) {
    return ValidationError("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
  }
  return {};
}

Result<void> CheckFilterProjected(const catalog::Table& table, const catalog::Index* index,
                                  const AttributeList& named_by_filter) {
  if (index == nullptr) return {};
  const std::string missing = ListUnprojected(table, *index, named_by_filter);
  if (missing.empty()) return {};
  return ValidationError(
      fmt::format("One or more parameter values were invalid: Secondary index {} does not project one or more filter "
                  "attributes: [{}]",
                  index->name, missing));
}

Result<bool> NeedsTable(const catalog::Table& table, const catalog::Index* index, std::optional<Select> select,
                        const std::optional<AttributeList>& wanted) {
  if (index == nullptr || index->projection.type == ProjectionType::kAll) return false;
  if (select == Select::kAllAttributes) {
    if (!index->global) return true;
    return ValidationError(
        fmt::format("One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for "
                    "global secondary index {} because its projection type is not ALL",
                    index->name));
  }
  if (!wanted) return false;
  const std::string missing = ListUnprojected(table, *index, *wanted);
  if (missing.empty() || !index->global) return !missing.empty();
  return ValidationError(
      fmt::format("One or more parameter values were invalid: Global secondary index {} does not project [{}]",
                  index->name, missing));
}

}  // namespace taula::api
