// Many values in little room: how many, their sum, the least and the greatest;
// for latencies also how they are spread.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>

namespace taula::metrics {

// Which of kBuckets a time belongs to: exact below 16 microseconds, from there
// on eight for each doubling, so that a bucket's middle is within 6 % of what
// fell into it.
inline constexpr std::size_t kBuckets = 272;
[[nodiscard]] inline std::size_t BucketOf(std::uint64_t microseconds) {
  if (microseconds < 16) return microseconds;
  const auto doublings = static_cast<std::size_t>(std::bit_width(microseconds)) - 5;
  return std::min(kBuckets - 1, 16 + doublings * 8 + ((microseconds >> (doublings + 1)) & 7));
}
// The middle of a bucket.
[[nodiscard]] inline double BucketMicroseconds(std::size_t bucket) {
  if (bucket < 16) return static_cast<double>(bucket);
  const std::size_t doublings = (bucket - 16) / 8;
  const std::size_t eighth = (bucket - 16) % 8;
  return static_cast<double>(std::uint64_t{8 + eighth} << (doublings + 1)) + static_cast<double>(1ULL << doublings);
}

struct Measure {
  std::uint64_t count = 0;
  double sum = 0;
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  // Of latencies: how many fell into each bucket that any fell into.
  std::map<std::uint16_t, std::uint64_t> buckets = {};

  void Add(double value) {
    ++count;
    sum += value;
    min = std::min(min, value);
    max = std::max(max, value);
  }
  void Merge(const Measure& other);

  [[nodiscard]] double average() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
  // The value that `share` (0 to 1) of all values do not exceed. Nothing where
  // that is not known: without buckets, unless all values are the same.
  [[nodiscard]] std::optional<double> Percentile(double share) const;
};

}  // namespace taula::metrics
