#include "engine/key_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

namespace taula::engine {
namespace {

constexpr std::int64_t kMinute = 60'000;
constexpr TimeWindow kAlways{.from_ms = 0, .to_ms = 1'000'000'000};

catalog::Table TableWithInsights() {
  catalog::Table table;
  table.space = 7;
  table.key = {{{"pk", Type::kString}}, {{"sk", Type::kString}}};
  table.contributor_insights.emplace();
  catalog::Index index;
  index.name = "index";
  index.space = 8;
  index.key = {{{"g", Type::kString}}, {}};
  table.indexes = {index};
  return table;
}

std::vector<std::pair<std::string, double>> Leading(const KeyReport& report) {
  std::vector<std::pair<std::string, double>> keys;
  for (const TopKey& key : report.keys)
    keys.emplace_back(key.sort.empty() ? key.partition : key.partition + "/" + key.sort, key.count);
  return keys;
}

using Counted = std::vector<std::pair<std::string, double>>;

// Keys as often as real ones: the first much, the thousandth seldom.
class Zipf {
 public:
  Zipf(std::size_t keys, double exponent, unsigned seed) : random_(seed) {
    double sum = 0;
    for (std::size_t key = 1; key <= keys; ++key) cumulated_.push_back(sum += 1 / std::pow(key, exponent));
  }
  std::size_t Next() {
    const double at = std::uniform_real_distribution<double>(0, cumulated_.back())(random_);
    return static_cast<std::size_t>(std::ranges::lower_bound(cumulated_, at) - cumulated_.begin());
  }

 private:
  std::mt19937 random_;
  std::vector<double> cumulated_;
};

TEST(SpaceSaving, IsExactForAsManyKeysAsItHolds) {
  SpaceSaving sketch(3);
  for (const char* key : {"a", "b", "a", "c", "a", "b"}) sketch.Add(key, 0.5);
  EXPECT_EQ(sketch.total(), 3);
  for (const SketchedKey& key : sketch.keys()) {
    EXPECT_EQ(key.error, 0);
    EXPECT_EQ(key.count, key.key == "a" ? 1.5 : key.key == "b" ? 1 : 0.5);
  }
}

TEST(SpaceSaving, CountsEveryKeyAtLeastAndByNoMoreThanItsErrorTooHigh) {
  SpaceSaving sketch(100);
  Zipf zipf(20'000, 1.1, 3);
  std::unordered_map<std::string, double> truth;
  for (int i = 0; i < 200'000; ++i) {
    const std::string key = std::to_string(zipf.Next());
    sketch.Add(key, 1);
    ++truth[key];
  }
  EXPECT_EQ(sketch.keys().size(), 100u);
  for (const SketchedKey& key : sketch.keys()) {
    EXPECT_GE(key.count, truth[key.key]);
    EXPECT_LE(key.count - key.error, truth[key.key]);
    EXPECT_LE(key.error, sketch.total() / 100);
  }
}

TEST(KeyCounts, FindTheKeysThatAreAskedForMost) {
  const catalog::Table table = TableWithInsights();
  KeyCounts counts;
  Zipf zipf(100'000, 1.0, 1);
  std::unordered_map<std::string, double> truth;
  for (int i = 0; i < 500'000; ++i) {
    const std::string key = std::to_string(zipf.Next());
    counts.Count(table, nullptr, KeyEvent::kAccessed, key, "", 1, 0);
    ++truth[key];
  }
  const KeyReport report = counts.Top(table, nullptr, KeyRule::kPartitionAccessed, 20, kAlways);
  EXPECT_EQ(report.total, 500'000);
  ASSERT_EQ(report.keys.size(), 20u);
  for (std::size_t rank = 0; rank < 10; ++rank) {
    const TopKey& key = report.keys[rank];
    EXPECT_EQ(key.partition, std::to_string(rank));
    EXPECT_NEAR(key.count, truth[key.partition], 500'000.0 / KeyCounts::kKeysPerMinute * 2);
  }
}

TEST(KeyCounts, AreByPartitionAndByWholeKeyAndWeighCapacity) {
  const catalog::Table table = TableWithInsights();
  KeyCounts counts;
  counts.Count(table, nullptr, KeyEvent::kAccessed, "a", "1", 2.5, 0);
  counts.Count(table, nullptr, KeyEvent::kAccessed, "a", "2", 1, 0);
  counts.Count(table, nullptr, KeyEvent::kAccessed, "a", "", 4, 0);  // a query
  counts.Count(table, nullptr, KeyEvent::kAccessed, "b", "1", 0.5, 0);
  counts.Count(table, nullptr, KeyEvent::kThrottled, "b", "1", 1, 0);
  const auto top = [&](KeyRule rule) { return Leading(counts.Top(table, nullptr, rule, 10, kAlways)); };
  EXPECT_EQ(top(KeyRule::kPartitionAccessed), (Counted{{"a", 7.5}, {"b", 0.5}}));
  EXPECT_EQ(top(KeyRule::kKeyAccessed), (Counted{{"a/1", 2.5}, {"a/2", 1}, {"b/1", 0.5}}));
  EXPECT_EQ(top(KeyRule::kPartitionThrottled), (Counted{{"b", 1}}));
  EXPECT_EQ(top(KeyRule::kKeyThrottled), (Counted{{"b/1", 1}}));
  EXPECT_EQ(counts.Top(table, nullptr, KeyRule::kKeyAccessed, 1, kAlways).different, 3u);
}

TEST(KeyCounts, OfWhatInsightsAreOffForAreNotKept) {
  catalog::Table table = TableWithInsights();
  KeyCounts counts;
  counts.Count(table, &table.indexes[0], KeyEvent::kAccessed, "a", "", 1, 0);
  EXPECT_TRUE(counts.Top(table, &table.indexes[0], KeyRule::kPartitionAccessed, 10, kAlways).keys.empty());
  table.contributor_insights->throttled_keys_only = true;
  counts.Count(table, nullptr, KeyEvent::kAccessed, "a", "", 1, 0);
  counts.Count(table, nullptr, KeyEvent::kThrottled, "b", "", 1, 0);
  EXPECT_TRUE(counts.Top(table, nullptr, KeyRule::kPartitionAccessed, 10, kAlways).keys.empty());
  EXPECT_EQ(counts.Top(table, nullptr, KeyRule::kPartitionThrottled, 10, kAlways).keys.size(), 1u);
  table.indexes[0].contributor_insights.emplace();
  counts.Count(table, &table.indexes[0], KeyEvent::kAccessed, "a", "", 1, 0);
  EXPECT_EQ(counts.Top(table, &table.indexes[0], KeyRule::kPartitionAccessed, 10, kAlways).keys.size(), 1u);
}

TEST(KeyCounts, AreByMinute) {
  const catalog::Table table = TableWithInsights();
  KeyCounts counts;
  counts.Count(table, nullptr, KeyEvent::kAccessed, "a", "", 1, 10 * kMinute);
  counts.Count(table, nullptr, KeyEvent::kAccessed, "a", "", 2, 11 * kMinute + 59'999);
  counts.Count(table, nullptr, KeyEvent::kAccessed, "a", "", 4, 12 * kMinute);
  const auto top = [&](std::int64_t from, std::int64_t to) {
    return Leading(counts.Top(table, nullptr, KeyRule::kPartitionAccessed, 10, {from * kMinute, to * kMinute}));
  };
  EXPECT_EQ(top(10, 13), (Counted{{"a", 7}}));
  EXPECT_EQ(top(10, 12), (Counted{{"a", 3}}));
  EXPECT_EQ(top(12, 13), (Counted{{"a", 4}}));
  EXPECT_EQ(top(13, 14), Counted());
}

TEST(KeyCounts, AreKeptForThreeHoursAndForgottenAfterwards) {
  const catalog::Table table = TableWithInsights();
  KeyCounts counts;
  counts.Count(table, nullptr, KeyEvent::kAccessed, "old", "", 1, 0);
  counts.Count(table, nullptr, KeyEvent::kAccessed, "old", "", 1, (KeyCounts::kMinutesKept + 1) * kMinute);
  EXPECT_EQ(counts.Top(table, nullptr, KeyRule::kPartitionAccessed, 10, kAlways).total, 1);
  counts.Forget(2 * KeyCounts::kMinutesKept * kMinute);
  EXPECT_EQ(counts.Top(table, nullptr, KeyRule::kPartitionAccessed, 10, kAlways).total, 1);
  counts.Forget(3 * KeyCounts::kMinutesKept * kMinute);
  EXPECT_EQ(counts.Top(table, nullptr, KeyRule::kPartitionAccessed, 10, kAlways).total, 0);
}

TEST(KeyCounts, LoseNothingWhenManyThreadsCount) {
  const catalog::Table table = TableWithInsights();
  KeyCounts counts;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        for (int i = 0; i < 10'000; ++i) {
          counts.Count(table, nullptr, KeyEvent::kAccessed, std::to_string(i % 50), "s", 1, 0);
        }
      });
    }
  }
  const KeyReport report = counts.Top(table, nullptr, KeyRule::kKeyAccessed, 100, kAlways);
  EXPECT_EQ(report.total, 40'000);
  ASSERT_EQ(report.keys.size(), 50u);
  for (const TopKey& key : report.keys) EXPECT_EQ(key.count, 800);
}

}  // namespace
}  // namespace taula::engine
