#include "metrics/exposition.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace taula::metrics {
namespace {

TEST(Exposition, EveryMetricHasANameOfItsOwn) {
  std::set<std::string_view> names;
  int metrics = 0;
  for (; !NameOf(static_cast<Metric>(metrics)).empty(); ++metrics) {
    const ExpositionName name = ExpositionNameOf(static_cast<Metric>(metrics));
    EXPECT_TRUE(name.name.starts_with("taula_")) << NameOf(static_cast<Metric>(metrics));
    EXPECT_FALSE(name.help.empty());
    EXPECT_EQ(name.type == Exposition::Type::kCounter, name.name.ends_with("_total")) << name.name;
    names.insert(name.name);
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(metrics));
}

TEST(Exposition, CountersHaveLabelsForWhatTheyCount) {
  Counts counts;
  counts[{.metric = Metric::kConsumedReadCapacityUnits, .table = "orders"}].Add(2.5);
  counts[{.metric = Metric::kConsumedReadCapacityUnits, .table = "orders", .index = "byStatus"}].Add(1);
  counts[{.metric = Metric::kUserErrors}].Add(3);
  Exposition out;
  Expose(out, counts);
  EXPECT_EQ(out.Take(),
            "# HELP taula_consumed_read_capacity_units_total Read capacity units that requests took.\n"
            "# TYPE taula_consumed_read_capacity_units_total counter\n"
            "taula_consumed_read_capacity_units_total{table=\"orders\"} 2.5\n"
            "taula_consumed_read_capacity_units_total{table=\"orders\",index=\"byStatus\"} 1\n"
            "# HELP taula_user_errors_total Requests that were wrong.\n"
            "# TYPE taula_user_errors_total counter\n"
            "taula_user_errors_total 3\n");
}

TEST(Exposition, AHistogramAddsUp) {
  Measure latency;
  for (const std::uint64_t us : {10U, 15U, 16U, 100U, 1023U, 1024U, 40'000'000U}) {
    latency.Add(static_cast<double>(us) / 1000);
    ++latency.buckets[static_cast<std::uint16_t>(BucketOf(us))];
  }
  Exposition out;
  out.Begin("d", Exposition::Type::kHistogram, "help");
  out.Spread({{"table", "t"}}, latency);
  const std::string text = out.Take();
  const auto has = [&](std::string_view line) { return text.find(line) != std::string::npos; };
  EXPECT_TRUE(has("d_bucket{table=\"t\",le=\"1.6e-05\"} 2\n")) << text;
  EXPECT_TRUE(has("d_bucket{table=\"t\",le=\"3.2e-05\"} 3\n")) << text;
  EXPECT_TRUE(has("d_bucket{table=\"t\",le=\"0.001024\"} 5\n")) << text;
  EXPECT_TRUE(has("d_bucket{table=\"t\",le=\"16.777216\"} 6\n")) << text;
  EXPECT_TRUE(has("d_bucket{table=\"t\",le=\"+Inf\"} 7\n")) << text;
  EXPECT_TRUE(has("d_count{table=\"t\"} 7\n")) << text;
  EXPECT_TRUE(has("d_sum{table=\"t\"} 40.00")) << text;
}

TEST(Exposition, ValuesOfLabelsAreEscaped) {
  Exposition out;
  out.Begin("a", Exposition::Type::kGauge, "help");
  out.Sample({{"x", "a\"b\\c\nd"}}, 1);
  EXPECT_TRUE(out.Take().ends_with("a{x=\"a\\\"b\\\\c\\nd\"} 1\n"));
}

}  // namespace
}  // namespace taula::metrics
