// CloudWatch's operations that there are here. What follows from Amazon's others
// (alarms, dashboards, metrics of one's own) has no place in a database.
#pragma once

#include "base/clock.h"
#include "catalog/catalog.h"
#include "cloudwatch/document.h"
#include "cloudwatch/fault.h"
#include "engine/key_counts.h"
#include "metrics/metric_log.h"

namespace taula::cloudwatch {

struct Context {
  metrics::MetricLog& log;
  const base::Clock& clock;
  const catalog::Catalog& catalog;
  const engine::KeyCounts& keys;
};

[[nodiscard]] Outcome<Document> DescribeInsightRules(const Context& context, const Document& input);
[[nodiscard]] Outcome<Document> GetInsightRuleReport(const Context& context, const Document& input);
[[nodiscard]] Outcome<Document> GetMetricData(const Context& context, const Document& input);
[[nodiscard]] Outcome<Document> GetMetricStatistics(const Context& context, const Document& input);
[[nodiscard]] Outcome<Document> ListMetrics(const Context& context, const Document& input);

}  // namespace taula::cloudwatch
