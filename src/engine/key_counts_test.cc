#include "engine/key_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
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

using Counted = std::map<std::string, double>;

// What a rule has counted in all minutes of a window.
struct Summed {
  Counted keys;
  double total = 0;
};
Summed Sum(const KeyCounts& counts, const catalog::Table& table, KeyRule rule, const catalog::Index* index = nullptr,
           TimeWindow window = kAlways) {
  Summed sum;
  for (const KeyMinute& minute : counts.Minutes(table, index, rule, window)) {
    sum.total += minute.total;
    for (const SketchedKey& key : minute.keys) sum.keys[key.key] += key.count;
  }
  return sum;
}

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
    counts.Count(table, nullptr, KeyEvent::kAccessed, {key, {}}, 1, 0);
    ++truth[key];
  }
  const Summed sum = Sum(counts, table, KeyRule::kPartitionAccessed);
  EXPECT_EQ(sum.total, 500'000);
  for (int rank = 0; rank < 10; ++rank) {
    const std::string key = std::to_string(rank);
    ASSERT_TRUE(sum.keys.contains(key));
    EXPECT_NEAR(sum.keys.at(key), truth[key], 500'000.0 / KeyCounts::kKeysPerMinute * 2);
  }
}

TEST(KeyCounts, AreByPartitionAndByWholeKeyAndWeighed) {
  const catalog::Table table = TableWithInsights();
  KeyCounts counts;
  counts.Count(table, nullptr, KeyEvent::kAccessed, {"a", "a1"}, 2.5, 0);
  counts.Count(table, nullptr, KeyEvent::kAccessed, {"a", "a2"}, 1, 0);
  counts.Count(table, nullptr, KeyEvent::kAccessed, {"a", {}}, 4, 0);  // a query
  counts.Count(table, nullptr, KeyEvent::kAccessed, {"b", "b1"}, 0.5, 0);
  counts.Count(table, nullptr, KeyEvent::kThrottled, {"b", "b1"}, 1, 0);
  EXPECT_EQ(Sum(counts, table, KeyRule::kPartitionAccessed).keys, (Counted{{"a", 7.5}, {"b", 0.5}}));
  EXPECT_EQ(Sum(counts, table, KeyRule::kKeyAccessed).keys, (Counted{{"a1", 2.5}, {"a2", 1}, {"b1", 0.5}}));
  EXPECT_EQ(Sum(counts, table, KeyRule::kPartitionThrottled).keys, (Counted{{"b", 1}}));
  EXPECT_EQ(Sum(counts, table, KeyRule::kKeyThrottled).keys, (Counted{{"b1", 1}}));
  EXPECT_EQ(counts.Minutes(table, nullptr, KeyRule::kKeyAccessed, kAlways).at(0).different, 3u);
}

TEST(KeyCounts, OfWhatInsightsAreOffForAreNotKept) {
  catalog::Table table = TableWithInsights();
  catalog::Index& index = table.indexes[0];
  KeyCounts counts;
  counts.Count(table, &index, KeyEvent::kAccessed, {"a", {}}, 1, 0);
  EXPECT_TRUE(Sum(counts, table, KeyRule::kPartitionAccessed, &index).keys.empty());
  table.contributor_insights->throttled_keys_only = true;
  counts.Count(table, nullptr, KeyEvent::kAccessed, {"a", {}}, 1, 0);
  counts.Count(table, nullptr, KeyEvent::kThrottled, {"b", {}}, 1, 0);
  EXPECT_TRUE(Sum(counts, table, KeyRule::kPartitionAccessed).keys.empty());
  EXPECT_EQ(Sum(counts, table, KeyRule::kPartitionThrottled).keys.size(), 1u);
  index.contributor_insights.emplace();
  counts.Count(table, &index, KeyEvent::kAccessed, {"a", {}}, 1, 0);
  EXPECT_EQ(Sum(counts, table, KeyRule::kPartitionAccessed, &index).keys.size(), 1u);
}

TEST(KeyCounts, OfTheItemsOfOnePartitionAreAsGoodAsOfMany) {
  const catalog::Table table = TableWithInsights();
  KeyCounts counts;
  for (int i = 0; i < 100'000; ++i) {
    const std::string key = i % 200 == 0 ? "hot" : std::to_string(i);
    counts.Count(table, nullptr, KeyEvent::kAccessed, {"p", key}, 1, 0);
  }
  const Counted keys = Sum(counts, table, KeyRule::kKeyAccessed).keys;
  ASSERT_TRUE(keys.contains("hot"));
  EXPECT_NEAR(keys.at("hot"), 500, 100'000.0 / KeyCounts::kKeysPerMinute * 1.5);
}

TEST(KeyCounts, AreByMinute) {
  const catalog::Table table = TableWithInsights();
  KeyCounts counts;
  counts.Count(table, nullptr, KeyEvent::kAccessed, {"a", {}}, 1, 10 * kMinute);
  counts.Count(table, nullptr, KeyEvent::kAccessed, {"a", {}}, 2, 11 * kMinute + 59'999);
  counts.Count(table, nullptr, KeyEvent::kAccessed, {"a", {}}, 4, 12 * kMinute);
  const auto in = [&](std::int64_t from, std::int64_t to) {
    return Sum(counts, table, KeyRule::kPartitionAccessed, nullptr, {from * kMinute, to * kMinute}).keys;
  };
  EXPECT_EQ(in(10, 13), (Counted{{"a", 7}}));
  EXPECT_EQ(in(10, 12), (Counted{{"a", 3}}));
  EXPECT_EQ(in(12, 13), (Counted{{"a", 4}}));
  EXPECT_EQ(in(13, 14), Counted());
}

TEST(KeyCounts, OfAClockThatGoesBackAreOfTheLatestMinute) {
  const catalog::Table table = TableWithInsights();
  KeyCounts counts;
  counts.Count(table, nullptr, KeyEvent::kAccessed, {"a", {}}, 1, 10 * kMinute);
  counts.Count(table, nullptr, KeyEvent::kAccessed, {"a", {}}, 2, 5 * kMinute);
  const auto minutes = counts.Minutes(table, nullptr, KeyRule::kPartitionAccessed, kAlways);
  ASSERT_EQ(minutes.size(), 1u);
  EXPECT_EQ(minutes[0].minute_ms, 10 * kMinute);
  EXPECT_EQ(minutes[0].total, 3);
}

TEST(KeyCounts, OfLongKeysAreFewerOnceTheirMinuteIsOver) {
  const catalog::Table table = TableWithInsights();
  KeyCounts counts;
  for (int i = 0; i < 500; ++i) {
    const std::string key = std::to_string(i) + std::string(2000, 'x');
    counts.Count(table, nullptr, KeyEvent::kAccessed, {key, {}}, i, 0);
  }
  counts.Count(table, nullptr, KeyEvent::kAccessed, {"a", {}}, 1, 2 * kMinute);
  const Summed sum = Sum(counts, table, KeyRule::kPartitionAccessed, nullptr, {0, kMinute});
  EXPECT_EQ(sum.total, 499 * 250);
  EXPECT_LE(sum.keys.size() * 2000, 4 * KeyCounts::kKeyBytesKept);
  EXPECT_TRUE(sum.keys.contains("499" + std::string(2000, 'x')));
}

TEST(KeyCounts, AreKeptForThreeHoursAndForgottenAfterwards) {
  const catalog::Table table = TableWithInsights();
  KeyCounts counts;
  const auto total = [&] { return Sum(counts, table, KeyRule::kPartitionAccessed).total; };
  counts.Count(table, nullptr, KeyEvent::kAccessed, {"old", {}}, 1, 0);
  counts.Count(table, nullptr, KeyEvent::kAccessed, {"old", {}}, 1, (KeyCounts::kMinutesKept + 1) * kMinute);
  EXPECT_EQ(total(), 1);
  counts.Forget(2 * KeyCounts::kMinutesKept * kMinute);
  EXPECT_EQ(total(), 1);
  counts.Forget(3 * KeyCounts::kMinutesKept * kMinute);
  EXPECT_EQ(total(), 0);
}

TEST(KeyCounts, LoseNothingWhenManyThreadsCount) {
  const catalog::Table table = TableWithInsights();
  KeyCounts counts;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        for (int i = 0; i < 10'000; ++i) {
          const std::string key = std::to_string(i % 50);
          counts.Count(table, nullptr, KeyEvent::kAccessed, {key, key}, 1, 0);
        }
      });
    }
  }
  const Summed sum = Sum(counts, table, KeyRule::kKeyAccessed);
  EXPECT_EQ(sum.total, 40'000);
  ASSERT_EQ(sum.keys.size(), 50u);
  for (const auto& [key, count] : sum.keys) EXPECT_EQ(count, 800);
}

}  // namespace
}  // namespace taula::engine
