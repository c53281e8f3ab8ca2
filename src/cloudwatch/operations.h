// CloudWatch's operations that there are here. What follows from Amazon's others
// (alarms, dashboards, metrics of one's own) has no place in a database.
//
// GetInsightRuleReport, for the most used keys of contributor insights, would be
// one more file beside these and one more line in service.cc.
#pragma once

#include "base/clock.h"
#include "cloudwatch/document.h"
#include "cloudwatch/fault.h"
#include "metrics/metric_log.h"

namespace taula::cloudwatch {

struct Context {
  metrics::MetricLog& log;
  const base::Clock& clock;
};

[[nodiscard]] Outcome<Document> GetMetricData(const Context& context, const Document& input);
[[nodiscard]] Outcome<Document> GetMetricStatistics(const Context& context, const Document& input);
[[nodiscard]] Outcome<Document> ListMetrics(const Context& context, const Document& input);

}  // namespace taula::cloudwatch
