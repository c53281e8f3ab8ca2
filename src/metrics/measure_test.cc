#include "metrics/measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace taula::metrics {
namespace {

void AddLatency(Measure& measure, std::uint64_t microseconds) {
  measure.Add(static_cast<double>(microseconds) / 1000);
  ++measure.buckets[static_cast<std::uint16_t>(BucketOf(microseconds))];
}

TEST(Measure, BucketsGrowWithTheTime) {
  std::size_t last = 0;
  for (std::uint64_t us = 1; us < 100'000; ++us) {
    const std::size_t bucket = BucketOf(us);
    ASSERT_GE(bucket, last) << us;
    ASSERT_LE(bucket, last + 1) << us;
    last = bucket;
  }
}

TEST(Measure, TheMiddleOfABucketIsWithinSixPercentOfWhatFallsIntoIt) {
  for (std::uint64_t us = 1; us < 30'000'000'000; us += 1 + us / 97) {
    const double middle = BucketMicroseconds(BucketOf(us));
    ASSERT_NEAR(middle, static_cast<double>(us), 0.0625 * static_cast<double>(us)) << us;
  }
}

TEST(Measure, TheLongestTimesShareTheLastBucket) {
  EXPECT_EQ(BucketOf(~std::uint64_t{0}), kBuckets - 1);
  EXPECT_EQ(BucketOf(std::uint64_t{1} << 60), kBuckets - 1);
}

TEST(Measure, NothingHasNoPercentile) { EXPECT_EQ(Measure().Percentile(0.5), std::nullopt); }

TEST(Measure, ValuesThatAreAllTheSameNeedNoBuckets) {
  Measure measure;
  for (int i = 0; i < 3; ++i) measure.Add(2);
  EXPECT_EQ(measure.Percentile(0.5), 2);
}

TEST(Measure, WithoutBucketsOnlyTheEndsAreKnown) {
  Measure measure;
  measure.Add(1);
  measure.Add(3);
  EXPECT_EQ(measure.Percentile(0), 1);
  EXPECT_EQ(measure.Percentile(1), 3);
  EXPECT_EQ(measure.Percentile(0.5), std::nullopt);
}

TEST(Measure, PercentilesAreWithinSixPercent) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> times(6, 1.5);
  std::vector<std::uint64_t> values(20'000);
  Measure measure;
  for (std::uint64_t& value : values) {
    value = 1 + static_cast<std::uint64_t>(times(random));
    AddLatency(measure, value);
  }
  std::ranges::sort(values);
  for (const double share : {0.001, 0.1, 0.5, 0.9, 0.99, 0.999}) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()))) - 1;
    const double exact = static_cast<double>(values[rank]) / 1000;
    EXPECT_NEAR(measure.Percentile(share).value_or(-1), exact, 0.0625 * exact) << share;
  }
  EXPECT_EQ(measure.Percentile(0), static_cast<double>(values.front()) / 1000);
  EXPECT_EQ(measure.Percentile(1), static_cast<double>(values.back()) / 1000);
}

TEST(Measure, MergingIsAsCountingTogether) {
  Measure together;
  Measure one;
  Measure other;
  for (std::uint64_t us = 10; us < 3000; us += 7) {
    AddLatency(together, us);
    AddLatency(us % 2 == 0 ? one : other, us);
  }
  one.Merge(other);
  EXPECT_EQ(one.count, together.count);
  EXPECT_DOUBLE_EQ(one.sum, together.sum);
  EXPECT_EQ(one.min, together.min);
  EXPECT_EQ(one.max, together.max);
  EXPECT_EQ(one.buckets, together.buckets);
}

}  // namespace
}  // namespace taula::metrics
