// Contributor insights: whether the keys that are asked for most are counted, for
// a table and for each of its global indexes. The counting itself is key_counts.h.
//
// On Amazon each kind of count is a CloudWatch rule with a name of its own, by
// which GetInsightRuleReport asks for the result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/table.h"
#include "taula/error.h"

namespace taula::engine {

// What is counted: by partition key or by the whole key, and which requests.
enum class KeyRule { kPartitionAccessed, kKeyAccessed, kPartitionThrottled, kKeyThrottled };

// The settings of the table, or of an index of it; nothing when it was never told.
[[nodiscard]] const std::optional<catalog::ContributorInsights>& InsightsOf(const catalog::Table& table,
                                                                            const catalog::Index* index);

// The rules that count now; none when it is off. Those of the whole key are only
// for keys that have a sort key.
[[nodiscard]] std::vector<KeyRule> ActiveRules(const catalog::Table& table, const catalog::Index* index);

// "DynamoDBContributorInsights-PKC-orders-byDate-1791501766746".
[[nodiscard]] std::string RuleName(KeyRule rule, const catalog::Table& table, const catalog::Index* index);

struct FoundRule {
  KeyRule rule = KeyRule::kPartitionAccessed;
  catalog::TablePtr table;
  const catalog::Index* index = nullptr;  // of the table
};

// All that are active.
[[nodiscard]] std::vector<FoundRule> AllRules(const catalog::Catalog& catalog);
// The rule of a name that RuleName made, as long as it is active.
[[nodiscard]] std::optional<FoundRule> FindRule(const catalog::Catalog& catalog, std::string_view name);

// A global index of the table, null without a name. Fails with
// kResourceNotFoundException; local indexes have no insights.
[[nodiscard]] Result<const catalog::Index*> FindInsightsIndex(const catalog::Table& table,
                                                              const std::optional<std::string>& index);

struct InsightsChange {
  bool enable = false;
  bool throttled_keys_only = false;  // for `enable`
};

struct InsightsUpdate {
  bool changed = false;
  std::optional<catalog::ContributorInsights> now;
};

[[nodiscard]] Result<InsightsUpdate> UpdateInsights(catalog::Catalog& catalog, std::string_view table,
                                                    const std::optional<std::string>& index,
                                                    const InsightsChange& change, std::int64_t now_ms);

}  // namespace taula::engine
