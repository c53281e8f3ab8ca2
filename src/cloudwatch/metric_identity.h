// What CloudWatch calls a metric: a namespace, a name and dimensions. Every
// combination of dimensions is a metric of its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cloudwatch/document.h"
#include "cloudwatch/fault.h"
#include "cloudwatch/input.h"
#include "metrics/metric.h"

namespace taula::cloudwatch {

// The only namespace that has anything here. Others are empty, as they are at
// Amazon's while nobody has put anything there.
inline constexpr std::string_view kDynamoDbNamespace = "AWS/DynamoDB";

struct Dimension {
  std::string name;
  std::string value;
};

struct MetricIdentity {
  std::string name_space;
  std::string name;
  std::vector<Dimension> dimensions;
};

// `place` is what stands before the names of parameters in a fault:
// "MetricDataQueries.member.1.MetricStat.Metric.", or nothing.
[[nodiscard]] Outcome<MetricIdentity> ReadMetricIdentity(const Input& input, std::string_view place);

// Nothing for what nobody counts.
[[nodiscard]] std::optional<metrics::Series> SeriesOf(const MetricIdentity& identity);

[[nodiscard]] std::vector<Dimension> DimensionsOf(const metrics::Series& series);

}  // namespace taula::cloudwatch
