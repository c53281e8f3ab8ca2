// On both stores: what is counted must be the same whichever keeps it.
#include "metrics/metric_log.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "storage/memory/memory_store.h"
#include "storage/rocksdb/rocksdb_store.h"
#include "storage/store_testing.h"

namespace taula::metrics {
namespace {

constexpr std::int64_t kMinute = MetricLog::kMinuteMs;
constexpr std::int64_t kDay = 24 * 60 * kMinute;
const Series kReads{.metric = Metric::kConsumedReadCapacityUnits, .table = "orders"};

enum class StoreKind { kMemory, kRocksDb };

class MetricLogTest : public ::testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override { Open(); }

  void Open() {
    if (GetParam() == StoreKind::kRocksDb) {
      auto opened = storage::OpenRocksDb({.path = folder_.path(), .durability = Durability::kRelaxed});
      ASSERT_TRUE(opened) << opened.error();
      store_ = *std::move(opened);
    } else if (store_ == nullptr) {
      store_ = storage::MakeMemoryStore();
    }
    log_ = std::make_unique<MetricLog>(*store_, clock_);
    const auto loaded = log_->Load();
    ASSERT_TRUE(loaded) << loaded.error().message;
  }
  // As a process that is killed, and another that begins.
  void Reopen() {
    log_.reset();
    if (GetParam() == StoreKind::kRocksDb) store_.reset();
    Open();
  }

  void Read(double units) { log_->traffic().CountRead(table_, units); }
  std::vector<std::pair<std::int64_t, double>> Sums(std::int64_t from_ms, std::int64_t to_ms) {
    std::vector<std::pair<std::int64_t, double>> sums;
    for (const auto& [minute_ms, measure] : log_->Read(kReads, from_ms, to_ms)) {
      sums.emplace_back((minute_ms - start_ms_) / kMinute, measure.sum);
    }
    return sums;
  }
  std::vector<std::pair<std::int64_t, double>> AllSums() { return Sums(0, start_ms_ + 100 * kDay); }

  static constexpr std::int64_t start_ms_ = 1'790'000'040'000;  // a minute begins
  static_assert(start_ms_ % kMinute == 0);
  base::ManualClock clock_{start_ms_};
  const storage::TemporaryFolder folder_;
  std::unique_ptr<storage::Store> store_;
  catalog::Table table_ = [] {
    catalog::Table table;
    table.name = "orders";
    table.space = 1;
    return table;
  }();
  std::unique_ptr<MetricLog> log_;
};

using Minutes = std::vector<std::pair<std::int64_t, double>>;

TEST_P(MetricLogTest, ASeriesHasAMinuteForEachInWhichAnythingWasCounted) {
  Read(1);
  Read(2);
  log_->Collect();
  clock_.Advance(kMinute);
  log_->Collect();
  Read(4);
  clock_.Advance(30'000);
  Read(8);
  log_->Collect();
  clock_.Advance(2 * kMinute);
  log_->Collect();
  Read(16);
  EXPECT_EQ(AllSums(), (Minutes{{0, 3}, {1, 12}, {3, 16}}));
}

TEST_P(MetricLogTest, WhatWasJustCountedIsThereAtOnce) {
  Read(1);
  EXPECT_EQ(AllSums(), (Minutes{{0, 1}}));
  Read(1);
  EXPECT_EQ(AllSums(), (Minutes{{0, 2}}));
}

TEST_P(MetricLogTest, TheStartOfARangeIsInIt_TheEndIsNot) {
  for (int i = 0; i < 3; ++i) {
    Read(1 << i);
    log_->Collect();
    clock_.Advance(kMinute);
    log_->Collect();
  }
  Read(8);
  EXPECT_EQ(Sums(start_ms_, start_ms_ + kMinute), (Minutes{{0, 1}}));
  EXPECT_EQ(Sums(start_ms_ + 1, start_ms_ + kMinute + 1), (Minutes{{1, 2}}));
  EXPECT_EQ(Sums(start_ms_ + 2 * kMinute, start_ms_ + 3 * kMinute), (Minutes{{2, 4}}));
  EXPECT_EQ(Sums(start_ms_ + 3 * kMinute, start_ms_ + 3 * kMinute + 1), (Minutes{{3, 8}}));
  EXPECT_EQ(Sums(start_ms_ + kMinute, start_ms_ + kMinute), Minutes{});
  EXPECT_EQ(Sums(start_ms_ + kMinute, start_ms_), Minutes{});
}

TEST_P(MetricLogTest, ARestartInTheMiddleOfAMinuteGoesOnWithIt) {
  Read(1);
  log_->Save();
  Reopen();
  Read(2);
  EXPECT_EQ(AllSums(), (Minutes{{0, 3}}));
  log_->Save();
  clock_.Advance(kMinute);
  Reopen();
  Read(4);
  EXPECT_EQ(AllSums(), (Minutes{{0, 3}, {1, 4}}));
}

TEST_P(MetricLogTest, AKillTakesWhatCameAfterTheLastSave) {
  Read(1);
  log_->Save();
  Read(2);
  log_->Collect();
  Reopen();
  EXPECT_EQ(AllSums(), (Minutes{{0, 1}}));
}

TEST_P(MetricLogTest, AMinuteThatHasEndedIsSaved) {
  Read(1);
  log_->Collect();
  clock_.Advance(kMinute);
  log_->Collect();
  Reopen();
  EXPECT_EQ(AllSums(), (Minutes{{0, 1}}));
}

TEST_P(MetricLogTest, TheSpreadOfLatenciesIsKept) {
  const Series latency{
      .metric = Metric::kSuccessfulRequestLatency, .table = "orders", .index = {}, .operation = "GetItem"};
  for (std::uint64_t us = 100; us <= 10'000; us += 100) {
    log_->traffic().Count(table_, {.operation = "GetItem", .nanoseconds = us * 1000});
  }
  log_->Save();
  clock_.Advance(kMinute);
  Reopen();
  const auto minutes = log_->Read(latency, start_ms_, start_ms_ + kMinute);
  ASSERT_EQ(minutes.size(), 1U);
  EXPECT_EQ(minutes[0].measure.count, 100U);
  EXPECT_NEAR(minutes[0].measure.Percentile(0.9).value_or(0), 9, 0.06 * 9);
  EXPECT_EQ(minutes[0].measure.min, 0.1);
  EXPECT_EQ(minutes[0].measure.max, 10);
}

TEST_P(MetricLogTest, WhatIsOlderThanTwoWeeksGoes) {
  Read(1);
  log_->Collect();
  clock_.Advance(10 * kDay);
  log_->Collect();
  Read(2);
  log_->Collect();
  clock_.Advance(kMinute);
  log_->Collect();
  log_->Trim();
  EXPECT_EQ(AllSums().size(), 2U);
  clock_.Advance(4 * kDay);
  log_->Trim();
  EXPECT_EQ(AllSums(), (Minutes{{10 * 24 * 60, 2}}));
  clock_.Advance(10 * kDay);
  log_->Trim();
  EXPECT_EQ(AllSums(), Minutes{});
  EXPECT_TRUE(log_->ListSeries(0).empty());
  Reopen();
  EXPECT_EQ(AllSums(), Minutes{});
  EXPECT_TRUE(log_->ListSeries(0).empty());
}

TEST_P(MetricLogTest, TrimmingTakesMoreMinutesThanFitIntoOneBatch) {
  for (int i = 0; i < 2500; ++i) {
    Read(1);
    log_->Collect();
    clock_.Advance(kMinute);
    log_->Collect();
  }
  clock_.Set(start_ms_ + MetricLog::kKeptMs + 2490 * kMinute);
  log_->Trim();
  EXPECT_EQ(AllSums().size(), 10U);
  EXPECT_EQ(AllSums().front().first, 2490);
}

TEST_P(MetricLogTest, SeriesAreListedSinceATime) {
  Read(1);
  log_->Collect();
  clock_.Advance(kDay);
  log_->Collect();
  log_->traffic().CountUserError();
  const std::int64_t now_ms = clock_.NowMs();
  EXPECT_EQ(log_->ListSeries(0), (std::vector<Series>{kReads, {.metric = Metric::kUserErrors}}));
  EXPECT_EQ(log_->ListSeries(now_ms - 3 * 60 * kMinute), (std::vector<Series>{{.metric = Metric::kUserErrors}}));
  log_->Save();
  Reopen();
  EXPECT_EQ(log_->ListSeries(0), (std::vector<Series>{kReads, {.metric = Metric::kUserErrors}}));
  EXPECT_EQ(log_->ListSeries(now_ms - 3 * 60 * kMinute), (std::vector<Series>{{.metric = Metric::kUserErrors}}));
}

TEST_P(MetricLogTest, OneSeriesIsNotAnotherWhoseNameItBeginsWith) {
  table_.name = "orders2";
  Read(1);
  log_->Save();
  clock_.Advance(kMinute);
  EXPECT_EQ(AllSums(), Minutes{});
}

TEST_P(MetricLogTest, AGaugeIsOneValueAMinute) {
  const Series provisioned{.metric = Metric::kProvisionedReadCapacityUnits, .table = "orders"};
  log_->Gauges({{provisioned, 5}});
  log_->Gauges({{provisioned, 7}});
  const auto minutes = log_->Read(provisioned, 0, start_ms_ + kMinute);
  ASSERT_EQ(minutes.size(), 1U);
  EXPECT_EQ(minutes[0].measure.count, 1U);
  EXPECT_EQ(minutes[0].measure.sum, 7);
}

TEST_P(MetricLogTest, AGaugeIsGoneWhenItIsNotToldAnyMore) {
  log_->Gauges({{{.metric = Metric::kProvisionedReadCapacityUnits, .table = "orders"}, 5}});
  EXPECT_EQ(log_->Totals().size(), 1U);
  log_->Gauges({});
  EXPECT_TRUE(log_->Totals().empty());
}

TEST_P(MetricLogTest, AClockThatGoesBackGoesOnWithTheMinuteThatWas) {
  Read(1);
  log_->Collect();
  clock_.Advance(kMinute);
  Read(2);
  log_->Save();
  clock_.Set(start_ms_ + 1);
  log_->Collect();
  Read(4);
  log_->Save();
  clock_.Set(start_ms_ + kMinute + 1);
  log_->Collect();
  EXPECT_EQ(AllSums(), (Minutes{{0, 7}}));
  Read(8);
  EXPECT_EQ(AllSums(), (Minutes{{0, 7}, {1, 8}}));
  Reopen();
  EXPECT_EQ(AllSums(), (Minutes{{0, 7}}));
}

TEST_P(MetricLogTest, TotalsOfWhatHasNotBeenSeenForTwoWeeksGo) {
  Read(1);
  log_->Save();
  EXPECT_EQ(log_->Totals().size(), 1U);
  clock_.Advance(15 * kDay);
  log_->Collect();
  log_->Trim();
  EXPECT_TRUE(log_->Totals().empty());
}

TEST_P(MetricLogTest, TotalsAreOfAllMinutesSinceItWasOpened) {
  Read(1);
  log_->Collect();
  clock_.Advance(3 * kMinute);
  Read(2);
  EXPECT_EQ(log_->Totals()[kReads].sum, 3);
  log_->Save();
  Reopen();
  EXPECT_TRUE(log_->Totals().empty());
}

INSTANTIATE_TEST_SUITE_P(Stores, MetricLogTest, ::testing::Values(StoreKind::kMemory, StoreKind::kRocksDb),
                         [](const auto& kind) { return kind.param == StoreKind::kMemory ? "Memory" : "RocksDb"; });

}  // namespace
}  // namespace taula::metrics
