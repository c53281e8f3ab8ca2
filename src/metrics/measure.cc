#include "metrics/measure.h"

#include <cmath>

namespace taula::metrics {

void Measure::Merge(const Measure& other) {
  count += other.count;
  sum += other.sum;
  min = std::min(min, other.min);
  max = std::max(max, other.max);
  for (const auto& [bucket, values] : other.buckets) buckets[bucket] += values;
}

std::optional<double> Measure::Percentile(double share) const {
  constexpr double kMicrosecondsPerMillisecond = 1000;
  if (count == 0) return std::nullopt;
  if (min == max || share <= 0) return min;
  if (share >= 1) return max;
  if (buckets.empty()) return std::nullopt;
  const double wanted = std::max(1.0, std::ceil(share * static_cast<double>(count)));
  double passed = 0;
  for (const auto& [bucket, values] : buckets) {
    passed += static_cast<double>(values);
    if (passed >= wanted) return std::clamp(BucketMicroseconds(bucket) / kMicrosecondsPerMillisecond, min, max);
  }
  return max;
}

}  // namespace taula::metrics
