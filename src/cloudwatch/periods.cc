#include "cloudwatch/periods.h"

#include <algorithm>

namespace taula::cloudwatch {
namespace {

constexpr std::int64_t kSecondMs = 1000;
constexpr std::int64_t kMinuteS = 60;
constexpr std::int64_t kHourMs = 60 * kMinuteS * kSecondMs;
constexpr std::int64_t kDayMs = 24 * kHourMs;

std::int64_t RoundDown(std::int64_t ms, std::int64_t to_ms) {
  const std::int64_t over = ms % to_ms;
  return ms - (over < 0 ? over + to_ms : over);
}

}  // namespace

bool IsPeriod(std::int64_t seconds) {
  for (const std::int64_t each : {1, 5, 10, 20, 30}) {
    if (seconds == each) return true;
  }
  return seconds > 0 && seconds % kMinuteS == 0;
}

std::int64_t RoundedStart(std::int64_t start_ms, std::int64_t period_s, std::int64_t now_ms) {
  const std::int64_t age_ms = now_ms - start_ms;
  if (age_ms > 63 * kDayMs) return RoundDown(start_ms, kHourMs);
  if (age_ms > 15 * kDayMs) return RoundDown(start_ms, 5 * kMinuteS * kSecondMs);
  return RoundDown(start_ms, std::min(period_s, kMinuteS) * kSecondMs);
}

std::vector<PeriodMeasure> ReadPeriods(metrics::MetricLog& log, const metrics::Series& series, const TimeRange& range,
                                       std::int64_t period_s) {
  std::vector<PeriodMeasure> periods;
  for (const auto& [minute_ms, measure] : log.Read(series, range.start_ms, range.end_ms)) {
    const std::int64_t begin_ms = PeriodOf(minute_ms, range.start_ms, period_s);
    if (periods.empty() || periods.back().begin_ms != begin_ms) periods.push_back({begin_ms, {}});
    periods.back().measure.Merge(measure);
  }
  return periods;
}

}  // namespace taula::cloudwatch
