#include "metrics/traffic.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace taula::metrics {
namespace {

catalog::Table TableNamed(const std::string& name, codec::SpaceId space) {
  catalog::Table table;
  table.name = name;
  table.space = space;
  catalog::Index local;
  local.name = "local";
  local.global = false;
  catalog::Index global;
  global.name = "global";
  table.indexes = {local, global};
  return table;
}

TEST(Traffic, ReadsAndWritesAreCountedByTableAndGlobalIndex) {
  Traffic traffic;
  const catalog::Table table = TableNamed("orders", 1);
  traffic.CountRead(table, 0.5);
  traffic.CountRead(table, 2);
  ConsumedCapacity written;
  written.table = {.read_units = 0, .write_units = 3};
  written.local_indexes = {{"local", {.read_units = 0, .write_units = 1}}};
  written.global_indexes = {{"global", {.read_units = 0, .write_units = 2}}};
  traffic.Count(table, written);
  Counts counts = traffic.Take();
  const Measure& read = counts[{.metric = Metric::kConsumedReadCapacityUnits, .table = "orders"}];
  EXPECT_EQ(read.sum, 2.5);
  EXPECT_EQ(read.count, 2U);
  EXPECT_EQ(read.min, 0.5);
  EXPECT_EQ(read.max, 2);
  // A local index uses the capacity of its table.
  EXPECT_EQ((counts[{.metric = Metric::kConsumedWriteCapacityUnits, .table = "orders"}].sum), 4);
  EXPECT_EQ((counts[{.metric = Metric::kConsumedWriteCapacityUnits, .table = "orders", .index = "global"}].sum), 2);
  EXPECT_EQ(counts.size(), 3U);
}

TEST(Traffic, WhatWasTakenIsNotThereAgain) {
  Traffic traffic;
  traffic.CountRead(TableNamed("orders", 1), 1);
  EXPECT_EQ(traffic.Take().size(), 1U);
  EXPECT_TRUE(traffic.Take().empty());
}

TEST(Traffic, RequestsAreCountedByHowTheyEnded) {
  Traffic traffic;
  const catalog::Table table = TableNamed("orders", 1);
  constexpr std::string_view kQuery = "Query";
  const auto count = [&](Ending ending) {
    traffic.Count(table, {.operation = kQuery, .nanoseconds = 2'000'000, .ending = ending, .returned = 7});
  };
  count(Ending::kOk);
  count(Ending::kOk);
  count(Ending::kThrottled);
  count(Ending::kSystemError);
  count(Ending::kConditionFailed);
  count(Ending::kUserError);
  traffic.CountUserError();
  Counts counts = traffic.Take();
  const auto by_operation = [&](Metric metric) {
    return counts[{.metric = metric, .table = "orders", .operation = "Query"}];
  };
  EXPECT_EQ(by_operation(Metric::kSuccessfulRequestLatency).count, 2U);
  EXPECT_EQ(by_operation(Metric::kSuccessfulRequestLatency).sum, 4);
  EXPECT_EQ(by_operation(Metric::kSuccessfulRequestLatency).buckets.begin()->second, 2U);
  EXPECT_EQ(by_operation(Metric::kReturnedItemCount).sum, 14);
  EXPECT_EQ(by_operation(Metric::kThrottledRequests).sum, 1);
  EXPECT_EQ(by_operation(Metric::kSystemErrors).sum, 1);
  EXPECT_EQ((counts[{.metric = Metric::kConditionalCheckFailedRequests, .table = "orders"}].sum), 1);
  EXPECT_EQ(counts[{.metric = Metric::kUserErrors}].sum, 2);
}

TEST(Traffic, ThrottlingOfALocalIndexIsTheTables) {
  Traffic traffic;
  const catalog::Table table = TableNamed("orders", 1);
  traffic.CountThrottled(table, nullptr, Access::kRead);
  traffic.CountThrottled(table, &table.indexes[0], Access::kRead);
  traffic.CountThrottled(table, &table.indexes[1], Access::kWrite);
  Counts counts = traffic.Take();
  EXPECT_EQ((counts[{.metric = Metric::kReadThrottleEvents, .table = "orders"}].sum), 2);
  EXPECT_EQ((counts[{.metric = Metric::kWriteThrottleEvents, .table = "orders", .index = "global"}].sum), 1);
}

TEST(Traffic, ManyThreadsLoseNothingWhileSomebodyTakes) {
  constexpr int kThreads = 8;
  constexpr int kRequests = 20'000;
  Traffic traffic;
  const std::vector<catalog::Table> tables = {TableNamed("a", 1), TableNamed("b", 2)};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < kRequests; ++n) traffic.CountRead(tables[static_cast<std::size_t>(i % 2)], 0.5);
    });
  }
  Counts all;
  const auto take = [&] {
    for (const auto& [series, measure] : traffic.Take()) all[series].Merge(measure);
  };
  for (int i = 0; i < 100; ++i) take();
  for (std::thread& thread : threads) thread.join();
  take();
  for (const std::string table : {"a", "b"}) {
    EXPECT_EQ((all[{.metric = Metric::kConsumedReadCapacityUnits, .table = table}].sum),
              0.5 * kThreads / 2 * kRequests);
  }
}

}  // namespace
}  // namespace taula::metrics
