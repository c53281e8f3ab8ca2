// The minutes of a metric, put together into the periods that somebody asks for.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/measure.h"
#include "metrics/metric.h"
#include "metrics/metric_log.h"

namespace taula::cloudwatch {

// From start_ms, up to and without end_ms.
struct TimeRange {
  std::int64_t start_ms = 0;
  std::int64_t end_ms = 0;
};

struct PeriodMeasure {
  std::int64_t begin_ms = 0;
  metrics::Measure measure;
};

// 1, 5, 10, 20, 30 or a multiple of 60. What lies in a minute is never told apart.
[[nodiscard]] bool IsPeriod(std::int64_t seconds);

// CloudWatch begins periods at the start that was asked for, which it rounds down
// to a minute, or more for times long past.
[[nodiscard]] std::int64_t RoundedStart(std::int64_t start_ms, std::int64_t period_s, std::int64_t now_ms);

// When the period begins that a minute belongs to.
[[nodiscard]] inline std::int64_t PeriodOf(std::int64_t minute_ms, std::int64_t start_ms, std::int64_t period_s) {
  const std::int64_t period_ms = period_s * 1000;
  return start_ms + (minute_ms - start_ms) / period_ms * period_ms;
}

// Only periods in which anything was counted, oldest first. The range begins where
// RoundedStart says.
[[nodiscard]] std::vector<PeriodMeasure> ReadPeriods(metrics::MetricLog& log, const metrics::Series& series,
                                                     const TimeRange& range, std::int64_t period_s);

}  // namespace taula::cloudwatch
