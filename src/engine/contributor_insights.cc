#include "engine/contributor_insights.h"

#include <fmt/format.h>

#include <algorithm>

namespace taula::engine {
namespace {

std::string_view CodeOf(KeyRule rule) {
  switch (rule) {
    case KeyRule::kPartitionAccessed:
      return "PKC";
    case KeyRule::kKeyAccessed:
      return "SKC";
    case KeyRule::kPartitionThrottled:
      return "PKT";
    case KeyRule::kKeyThrottled:
      break;
  }
  return "SKT";
}

std::unexpected<Error> NotReady(std::string_view what) {
  return ValidationError(
      fmt::format("Table or Index is not in a valid state to update Key Access Insights: {} must be ACTIVE to enable "
                  "ContributorInsights.",
                  what));
}

InsightsUpdate Apply(std::optional<catalog::ContributorInsights>& insights, const InsightsChange& change,
                     std::int64_t now_ms) {
  const bool enabled = insights && insights->enabled;
  const bool same = change.enable ? enabled && insights->throttled_keys_only == change.throttled_keys_only : !enabled;
  if (same) return {.changed = false, .now = insights};
  if (!insights) insights.emplace();
  if (!enabled) insights->enabled_ms = now_ms;
  insights->enabled = change.enable;
  if (change.enable) insights->throttled_keys_only = change.throttled_keys_only;
  insights->changed_ms = now_ms;
  return {.changed = true, .now = insights};
}

}  // namespace

const std::optional<catalog::ContributorInsights>& InsightsOf(const catalog::Table& table,
                                                              const catalog::Index* index) {
  return index == nullptr ? table.contributor_insights : index->contributor_insights;
}

std::vector<KeyRule> ActiveRules(const catalog::Table& table, const catalog::Index* index) {
  const auto& insights = InsightsOf(table, index);
  if (!insights || !insights->enabled) return {};
  const bool sorted = !(index == nullptr ? table.key : index->key).sort.empty();
  std::vector<KeyRule> rules;
  if (!insights->throttled_keys_only) rules.push_back(KeyRule::kPartitionAccessed);
  rules.push_back(KeyRule::kPartitionThrottled);
  if (sorted && !insights->throttled_keys_only) rules.push_back(KeyRule::kKeyAccessed);
  if (sorted) rules.push_back(KeyRule::kKeyThrottled);
  return rules;
}

std::string RuleName(KeyRule rule, const catalog::Table& table, const catalog::Index* index) {
  const auto& insights = InsightsOf(table, index);
  const std::string resource = index == nullptr ? table.name : fmt::format("{}-{}", table.name, index->name);
  return fmt::format("DynamoDBContributorInsights-{}-{}-{}", CodeOf(rule), resource,
                     insights ? insights->enabled_ms : 0);
}

std::vector<FoundRule> AllRules(const catalog::Catalog& catalog) {
  std::vector<FoundRule> rules;
  const auto add = [&](const catalog::TablePtr& table, const catalog::Index* index) {
    for (const KeyRule rule : ActiveRules(*table, index)) rules.push_back({rule, table, index});
  };
  for (const catalog::TablePtr& table : catalog.All()) {
    add(table, nullptr);
    for (const catalog::Index& index : table->indexes) add(table, &index);
  }
  return rules;
}

std::optional<FoundRule> FindRule(const catalog::Catalog& catalog, std::string_view name) {
  for (FoundRule& each : AllRules(catalog)) {
    if (RuleName(each.rule, *each.table, each.index) == name) return std::move(each);
  }
  return std::nullopt;
}

Result<const catalog::Index*> FindInsightsIndex(const catalog::Table& table, const std::optional<std::string>& index) {
  if (!index) return nullptr;
  const catalog::Index* const found = table.FindIndex(*index);
  if (found != nullptr && found->global) return found;
  return Fail(ErrorCode::kResourceNotFoundException,
              fmt::format("Requested resource not found: Index: {} not found for table: {}", *index, table.name));
}

Result<InsightsUpdate> UpdateInsights(catalog::Catalog& catalog, std::string_view table,
                                      const std::optional<std::string>& index, const InsightsChange& change,
                                      std::int64_t now_ms) {
  InsightsUpdate update;
  const auto changed = catalog.Change(table, [&](catalog::Table& edited) -> Result<void> {
    const auto found = FindInsightsIndex(edited, index);
    if (!found) return std::unexpected(found.error());
    if (edited.status == TableStatus::kCreating) return NotReady("TableStatus");
    if (*found == nullptr) {
      update = Apply(edited.contributor_insights, change, now_ms);
      return {};
    }
    if ((*found)->status == IndexStatus::kCreating) return NotReady("IndexStatus");
    const auto at = std::ranges::find(edited.indexes, *index, &catalog::Index::name);
    update = Apply(at->contributor_insights, change, now_ms);
    return {};
  });
  if (!changed) return std::unexpected(changed.error());
  return update;
}

}  // namespace taula::engine
