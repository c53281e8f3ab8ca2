#include "cloudwatch/metric_math.h"

#include <gtest/gtest.h>

#include <map>

namespace taula::cloudwatch {
namespace {

constexpr std::int64_t kMinute = 60'000;

TimeSeries Of(std::vector<std::pair<int, double>> points) {
  TimeSeries series;
  for (const auto& [minute, value] : points) series.points.push_back({minute * kMinute, value});
  return series;
}

class MetricMath : public ::testing::Test {
 protected:
  MathResult<MathValue> Run(std::string_view text) {
    const MathResult<MathNode> node = ParseMath(text);
    if (!node) return std::unexpected(node.error());
    const auto find = [&](std::string_view id) -> MathResult<MathValue> {
      const auto found = series_.find(id);
      if (found == series_.end()) return std::unexpected("not found");
      return found->second;
    };
    const auto metrics = [&](std::string_view part) {
      std::vector<TimeSeries> all;
      for (const auto& [id, series] : series_) {
        if (id.find(part) != std::string::npos) all.push_back(series);
      }
      return all;
    };
    return Evaluate(*node, {.find = find,
                            .metrics = metrics,
                            .range = {start_ms_, 5 * kMinute},
                            .points_left = points_left_,
                            .depth_left = depth_left_});
  }

  double Number(std::string_view text) {
    const auto value = Run(text);
    return value ? std::get<double>(*value) : -12345;
  }
  std::vector<std::pair<int, double>> Points(std::string_view text) {
    std::vector<std::pair<int, double>> points;
    const auto value = Run(text);
    if (!value) return {{-1, 0}};
    for (const Point& point : std::get<TimeSeries>(*value).points) {
      points.emplace_back(static_cast<int>(point.at_ms / kMinute), point.value);
    }
    return points;
  }

  std::map<std::string, TimeSeries, std::less<>> series_ = {{"m1", Of({{0, 10}, {1, 20}, {3, 40}})},
                                                            {"m2", Of({{0, 1}, {1, 0}, {2, 3}, {3, 4}})}};
  std::int64_t start_ms_ = 0;
  std::size_t points_left_ = 10'000;
  std::size_t depth_left_ = 1000;
};

using Expected = std::vector<std::pair<int, double>>;

TEST_F(MetricMath, NumbersBindAsInSchool) {
  EXPECT_EQ(Number("1 + 2 * 3"), 7);
  EXPECT_EQ(Number("(1+2)*3"), 9);
  EXPECT_EQ(Number("10-4-3"), 3);
  EXPECT_EQ(Number("-2^2"), -4);
  EXPECT_EQ(Number("2^-1"), 0.5);
  EXPECT_EQ(Number("--1.5e1"), 15);
}

TEST_F(MetricMath, SeriesAreCombinedWhereBothHaveAPoint) {
  EXPECT_EQ(Points("m1+m2"), (Expected{{0, 11}, {1, 20}, {3, 44}}));
  EXPECT_EQ(Points("100*m1"), (Expected{{0, 1000}, {1, 2000}, {3, 4000}}));
  EXPECT_EQ(Points("m1/m2"), (Expected{{0, 10}, {3, 10}}));  // nothing is divided by zero
  EXPECT_EQ(Points("-m2"), (Expected{{0, -1}, {1, -0.0}, {2, -3}, {3, -4}}));
}

TEST_F(MetricMath, AggregatesOfOneSeriesAreNumbers_OfSeveralASeries) {
  EXPECT_EQ(Number("SUM(m1)"), 70);
  EXPECT_EQ(Number("AVG(m2)"), 2);
  EXPECT_EQ(Number("MAX(m1) - MIN(m1)"), 30);
  EXPECT_EQ(Points("SUM([m1, m2])"), (Expected{{0, 11}, {1, 20}, {2, 3}, {3, 44}}));
  EXPECT_EQ(Points("MAX(METRICS())"), (Expected{{0, 10}, {1, 20}, {2, 3}, {3, 40}}));
  EXPECT_EQ(Points("SUM(METRICS(\"m1\"))"), (Expected{{0, 10}, {1, 20}, {3, 40}}));
  EXPECT_EQ(Points("m1 / SUM(m1) * 7"), (Expected{{0, 1}, {1, 2}, {3, 4}}));
}

TEST_F(MetricMath, GapsAreFilled) {
  EXPECT_EQ(Points("FILL(m1, 0)"), (Expected{{0, 10}, {1, 20}, {2, 0}, {3, 40}, {4, 0}}));
  EXPECT_EQ(Points("FILL(m1, REPEAT)"), (Expected{{0, 10}, {1, 20}, {2, 20}, {3, 40}, {4, 40}}));
  EXPECT_EQ(Points("FILL(m1, LINEAR)"), (Expected{{0, 10}, {1, 20}, {2, 30}, {3, 40}, {4, 40}}));
}

TEST_F(MetricMath, ChangesAndPeriods) {
  EXPECT_EQ(Points("DIFF(m1)"), (Expected{{1, 10}, {3, 20}}));
  EXPECT_EQ(Points("RATE(m1) * 60"), (Expected{{1, 10}, {3, 10}}));
  EXPECT_EQ(Points("RUNNING_SUM(m1)"), (Expected{{0, 10}, {1, 30}, {3, 70}}));
  EXPECT_EQ(Number("PERIOD(m1)"), 60);
  EXPECT_EQ(Points("CEIL(m2/2)"), (Expected{{0, 1}, {1, 0}, {2, 2}, {3, 2}}));
}

TEST_F(MetricMath, AnArrayStaysOne) {
  const auto value = Run("METRICS() * 2");
  ASSERT_TRUE(value);
  EXPECT_EQ(std::get<std::vector<TimeSeries>>(*value).size(), 2U);
}

TEST_F(MetricMath, WrongExpressionsAreRefused) {
  for (const std::string_view wrong :
       {"", "1 +", "(1", "m1 m2", "m9", "[1]", "IF(m1, 1, 2)", "SUM(m1, m2)", "FILL(m1)", "FILL(m1, m2)", "RATE(1)",
        "METRICS(m1)", "METRICS() + METRICS()", "\"a\"", "m1 > 2", "SEARCH('x')", "FILL(m1, \"x", "SELECT 1"}) {
    EXPECT_FALSE(Run(wrong)) << wrong;
  }
  EXPECT_FALSE(Run(std::string(1000, '(') + "1" + std::string(1000, ')')));
  EXPECT_FALSE(Run("1" + [] {
    std::string text;
    for (int i = 0; i < 500; ++i) text.append("^1");
    return text;
  }()));
}

TEST_F(MetricMath, WorkIsBounded) {
  points_left_ = 50;
  EXPECT_TRUE(Run("m1+m1"));
  EXPECT_FALSE(Run("m1+m1+m1+m1"));
}

TEST_F(MetricMath, FillKeepsPointsOfPeriodsThatBeginElsewhere) {
  start_ms_ = kMinute / 2;
  EXPECT_EQ(Points("FILL(m1, 0)"), (Expected{{0, 10}, {1, 20}, {2, 0}, {3, 40}, {4, 0}}));
}

TEST_F(MetricMath, NestingIsBoundedHoweverItComesAbout) {
  points_left_ = 1'000'000;
  std::string sum = "m1";
  for (int i = 0; i < 900; ++i) sum += "+1";
  EXPECT_TRUE(Run(sum));
  for (int i = 0; i < 200; ++i) sum += "+1";
  EXPECT_FALSE(Run(sum));
  EXPECT_EQ(depth_left_, 1000U);
}

TEST_F(MetricMath, SeriesWithoutPointsAreNotForFree) {
  series_["empty"] = {};
  std::string array = "[empty";
  for (int i = 0; i < 600; ++i) array += ",empty";
  EXPECT_FALSE(Run(array + "]"));
}

}  // namespace
}  // namespace taula::cloudwatch
