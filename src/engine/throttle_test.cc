#include "engine/throttle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "codec/key_codec.h"
#include "taula/value.h"

namespace taula::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;

constexpr std::int64_t kNowMs = 1'790'000'000'000;

std::string KeyIn(codec::SpaceId space, std::string_view partition) {
  codec::KeyBuilder key(space);
  key.Partition(Value(partition).view());
  key.EndPartition();
  return key.Take();
}

class ThrottleTest : public ::testing::Test {
 protected:
  ThrottleTest() {
    table_.name = "orders";
    table_.space = 1;
    table_.created_ms = kNowMs;
    table_.provisioned_throughput.read_units = 10;
    table_.provisioned_throughput.write_units = 5;
    catalog::Index index;
    index.name = "byStatus";
    index.space = 2;
    index.provisioned_throughput.read_units = 4;
    index.provisioned_throughput.write_units = 2;
    table_.indexes.push_back(index);
  }

  std::optional<Error> Read(double units, std::string_view partition = "a", const catalog::Index* index = nullptr) {
    const std::string key = KeyIn(index != nullptr ? index->space : table_.space, partition);
    if (auto refused = throttle_.RefuseRead(table_, index, key)) return refused;
    ConsumedCapacity capacity;
    capacity.table.read_units = units;
    throttle_.ChargeRead(table_, index, key, capacity);
    return std::nullopt;
  }

  std::optional<Error> Write(double units, std::string_view partition = "a", double index_units = 0,
                             std::string_view status = "new") {
    storage::Batch batch;
    ConsumedCapacity capacity;
    capacity.table.write_units = units;
    if (index_units > 0) {
      batch.Put(KeyIn(2, status), "");
      capacity.global_indexes["byStatus"].write_units = index_units;
    }
    return throttle_.TakeWrite(table_, KeyIn(table_.space, partition), capacity, batch);
  }

  base::ManualClock clock_{kNowMs};
  metrics::Traffic traffic_;
  catalog::Table table_;
  Throttle throttle_{clock_, traffic_, "us-east-1", "123456789012"};
};

TEST_F(ThrottleTest, ANewTableHasASecondsWorth) {
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(Read(1)) << i;
  const std::optional<Error> refused = Read(1);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, ErrorCode::kProvisionedThroughputExceededException);
  EXPECT_EQ(refused->message,
            "The level of configured provisioned throughput for the table was exceeded. Consider increasing your "
            "provisioning level with the UpdateTable API.");
  EXPECT_THAT(refused->throttling_reasons,
              ElementsAre(testing::AllOf(
                  Field(&ThrottlingReason::reason, "TableReadProvisionedThroughputExceeded"),
                  Field(&ThrottlingReason::resource, "arn:aws:dynamodb:us-east-1:123456789012:table/orders"))));
}

TEST_F(ThrottleTest, FillsUpAtTheRateThatIsProvisioned) {
  EXPECT_FALSE(Read(10));
  EXPECT_TRUE(Read(1));
  clock_.Advance(100);
  EXPECT_FALSE(Read(1));
  EXPECT_TRUE(Read(1));
}

TEST_F(ThrottleTest, WhatIsNotUsedCanBeUsedLaterForUpTo300Seconds) {
  clock_.Advance(3'600'000);
  EXPECT_FALSE(Read(2999.5));
  EXPECT_FALSE(Read(0.5));
  EXPECT_TRUE(Read(0.5));
}

TEST_F(ThrottleTest, LetsThroughWhatCostsMoreThanThereIsAndFillsItUpFirst) {
  EXPECT_FALSE(Write(15));
  EXPECT_TRUE(Write(1));
  clock_.Advance(2000);
  EXPECT_TRUE(Write(1));
  clock_.Advance(1);
  EXPECT_FALSE(Write(1));
}

TEST_F(ThrottleTest, ReadsDoNotTakeFromWrites) {
  EXPECT_FALSE(Read(10));
  EXPECT_TRUE(Read(1));
  EXPECT_FALSE(Write(1));
}

TEST_F(ThrottleTest, AnIndexWithTooLittleHoldsUpTheTable) {
  EXPECT_FALSE(Write(1, "a", 2));
  const std::optional<Error> refused = Write(1, "b", 1);
  ASSERT_TRUE(refused);
  EXPECT_THAT(refused->message, testing::HasSubstr("one or more global secondary indexes"));
  EXPECT_EQ(refused->throttling_reasons[0].reason, "IndexWriteProvisionedThroughputExceeded");
  EXPECT_EQ(refused->throttling_reasons[0].resource,
            "arn:aws:dynamodb:us-east-1:123456789012:table/orders/index/byStatus");
  // What does not touch the index goes on.
  EXPECT_FALSE(Write(1, "c"));
}

TEST_F(ThrottleTest, WhatIsRefusedIsNotCharged) {
  EXPECT_FALSE(Write(1, "a", 2));
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(Write(1, "b", 1));
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(Write(1, "c"));
  EXPECT_TRUE(Write(1, "c"));
}

TEST_F(ThrottleTest, ReadsOfAnIndexHaveTheirOwnCapacity) {
  EXPECT_FALSE(Read(4, "new", &table_.indexes[0]));
  EXPECT_TRUE(Read(1, "new", &table_.indexes[0]));
  EXPECT_FALSE(Read(1));
}

TEST_F(ThrottleTest, ALocalIndexLivesOnItsTable) {
  table_.indexes[0].global = false;
  EXPECT_FALSE(Read(10, "a", &table_.indexes[0]));
  EXPECT_TRUE(Read(1));
}

TEST_F(ThrottleTest, NoPartitionServesMoreThanItCan) {
  table_.provisioned_throughput.read_units = 100'000;
  table_.provisioned_throughput.write_units = 100'000;
  EXPECT_FALSE(Read(3000, "hot"));
  const std::optional<Error> read = Read(1, "hot");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->throttling_reasons[0].reason, "TableReadKeyRangeThroughputExceeded");
  EXPECT_FALSE(Read(3000, "another"));
  EXPECT_FALSE(Write(1000, "hot"));
  ASSERT_TRUE(Write(1, "hot"));
  EXPECT_EQ(Write(1, "hot")->throttling_reasons[0].reason, "TableWriteKeyRangeThroughputExceeded");
  EXPECT_FALSE(Write(1, "another"));
}

TEST_F(ThrottleTest, AHotPartitionOfAnIndexHoldsUpWhoWritesToIt) {
  table_.billing_mode = BillingMode::kPayPerRequest;
  EXPECT_FALSE(Write(1, "a", 1000, "new"));
  const std::optional<Error> refused = Write(1, "b", 1, "new");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, ErrorCode::kThrottlingException);
  EXPECT_EQ(refused->throttling_reasons[0].reason, "IndexWriteKeyRangeThroughputExceeded");
  EXPECT_FALSE(Write(1, "c", 1, "paid"));
}

TEST_F(ThrottleTest, OnDemandTablesHaveTheirMaximumAndTheQuota) {
  table_.billing_mode = BillingMode::kPayPerRequest;
  table_.on_demand_throughput = {.max_read_units = 7, .max_write_units = std::nullopt};
  EXPECT_FALSE(Read(7));
  const std::optional<Error> refused = Read(1);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, ErrorCode::kThrottlingException);
  EXPECT_EQ(refused->throttling_reasons[0].reason, "TableReadMaxOnDemandThroughputExceeded");
  for (int i = 0; i < 40; ++i) EXPECT_FALSE(Write(1000, std::to_string(i))) << i;
  const std::optional<Error> over = Write(1, "one more");
  ASSERT_TRUE(over);
  EXPECT_EQ(over->code, ErrorCode::kRequestLimitExceeded);
  EXPECT_EQ(over->throttling_reasons[0].reason, "TableWriteAccountLimitExceeded");
}

TEST_F(ThrottleTest, RefusalsAreCounted) {
  EXPECT_FALSE(Read(10));
  EXPECT_TRUE(Read(1));
  EXPECT_TRUE(Read(1));
  const metrics::Counts counts = traffic_.Take();
  const auto found = counts.find({.metric = metrics::Metric::kReadThrottleEvents, .table = "orders"});
  ASSERT_NE(found, counts.end());
  EXPECT_EQ(found->second.sum, 2);
}

}  // namespace
}  // namespace taula::engine
