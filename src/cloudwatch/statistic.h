// "Sum", "p99.9": what is asked of the values of a period.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "metrics/measure.h"

namespace taula::cloudwatch {

struct Statistic {
  enum class Kind : std::uint8_t { kSampleCount, kAverage, kSum, kMinimum, kMaximum, kPercentile };
  Kind kind = Kind::kSum;
  double share = 0;  // of a percentile, 0 to 1
  std::string name = {};

  // Nothing for a percentile that is not known: only latencies are kept with
  // their spread.
  [[nodiscard]] std::optional<double> Of(const metrics::Measure& measure) const;
};

// One of the five, and one that CloudWatch calls extended. Nothing for what is
// neither. Trimmed and winsorized means and their kin are not computed.
[[nodiscard]] std::optional<Statistic> ParsePlainStatistic(std::string_view name);
[[nodiscard]] std::optional<Statistic> ParsePercentile(std::string_view name);

}  // namespace taula::cloudwatch
