// What the engine's reads and writes count for, by the keys they are on.
#include "engine/key_watch.h"

#include <map>

#include "codec/key_codec.h"
#include "engine/engine_testing.h"

namespace taula::engine {
namespace {

using Counted = std::map<std::string, double>;

class KeyWatchTest : public EngineTest {
 protected:
  explicit KeyWatchTest(EngineOptions options = {}) : EngineTest(std::move(options)) {
    CreateTable();
    Watch(std::nullopt);
    Watch("byStatus");
  }

  void Watch(const std::optional<std::string>& index, bool throttled_only = false) {
    EXPECT_TRUE(UpdateInsights(engine_->catalog(), kTable, index,
                               {.enable = true, .throttled_keys_only = throttled_only}, kStartMs));
  }

  static Item Key(std::string_view partition, std::string_view sort) { return {{"PK", partition}, {"SK", sort}}; }
  static Item OfStatus(std::string_view partition, std::string_view sort, std::string_view status) {
    return {{"PK", partition}, {"SK", sort}, {"status", status}};
  }
  Result<void> Get(std::string_view partition, std::string_view sort) {
    return engine_->Get(*engine_->FindTable(kTable), Key(partition, sort), Consistency::kStrong,
                        [](const StoredItem&) {});
  }
  Result<PageEnd> Query(std::string_view partition, const char* index = nullptr) {
    PageRequest request;
    request.table = engine_->FindTable(kTable);
    request.index = index == nullptr ? nullptr : request.table->FindIndex(index);
    codec::KeyBuilder key(request.index == nullptr ? request.table->space : request.index->space);
    key.Partition(Value(partition).view());
    key.EndPartition();
    request.range = {key.key(), codec::PrefixEnd(key.key())};
    return engine_->ReadPage(request, [](ValueView) {});
  }

  // With / between the parts of whole keys.
  Counted Of(KeyRule rule, const char* index = nullptr) {
    const catalog::TablePtr table = engine_->FindTable(kTable);
    Counted counted;
    for (const KeyMinute& minute :
         engine_->key_counts().Minutes(*table, index == nullptr ? nullptr : table->FindIndex(index), rule,
                                       {.from_ms = 0, .to_ms = 2 * kStartMs})) {
      for (const SketchedKey& key : minute.keys) {
        std::string name;
        for (std::string_view parts = key.key; !parts.empty();) {
          const std::size_t bytes = codec::KeyPartBytes(parts, Type::kString);
          name.append(name.empty() ? "" : "/").append(codec::KeyPartText(parts.substr(0, bytes), Type::kString));
          parts.remove_prefix(bytes);
        }
        counted[name] += key.count;
      }
    }
    return counted;
  }
};

TEST_F(KeyWatchTest, AReadCountsForItsItemAndAQueryForItsPartition) {
  ASSERT_TRUE(Get("a", "1"));
  ASSERT_TRUE(Get("a", "1"));
  ASSERT_TRUE(Get("b", "1"));
  ASSERT_TRUE(Query("b"));
  ASSERT_TRUE(Query("nobody"));
  ASSERT_TRUE(Query("open", "byStatus"));
  EXPECT_EQ(Of(KeyRule::kPartitionAccessed), (Counted{{"a", 2}, {"b", 1.5}, {"nobody", 0.5}}));
  EXPECT_EQ(Of(KeyRule::kKeyAccessed), (Counted{{"a/1", 2}, {"b/1", 1}}));
  EXPECT_EQ(Of(KeyRule::kPartitionAccessed, "byStatus"), (Counted{{"open", 0.5}}));
}

TEST_F(KeyWatchTest, AWriteWeighsThreeTimesAndCountsOnTheIndexesItChanges) {
  Put(OfStatus("a", "1", "open"));
  EXPECT_EQ(Of(KeyRule::kKeyAccessed), (Counted{{"a/1", 3}}));
  EXPECT_EQ(Of(KeyRule::kPartitionAccessed, "byStatus"), (Counted{{"open", 3}}));
  Put(OfStatus("a", "1", "closed"));  // it moves
  EXPECT_EQ(Of(KeyRule::kPartitionAccessed, "byStatus"), (Counted{{"open", 6}, {"closed", 3}}));
  Delete(Key("a", "1"));
  EXPECT_EQ(Of(KeyRule::kPartitionAccessed, "byStatus"), (Counted{{"open", 6}, {"closed", 6}}));
  Put(Key("a", "1"));  // not in the index
  EXPECT_EQ(Of(KeyRule::kPartitionAccessed, "byStatus"), (Counted{{"open", 6}, {"closed", 6}}));
  EXPECT_EQ(Of(KeyRule::kPartitionAccessed), (Counted{{"a", 12}}));
}

TEST_F(KeyWatchTest, ATransactionCountsTwiceForItsTable) {
  Transaction transaction;
  WriteAction& action = transaction.actions.emplace_back();
  action.table = engine_->FindTable(kTable);
  action.item = OfStatus("a", "1", "open");
  std::promise<bool> done;
  engine_->Transact(std::move(transaction),
                    [&](const Result<TransactionOutcome>& outcome) { done.set_value(outcome.has_value()); });
  ASSERT_TRUE(done.get_future().get());
  EXPECT_EQ(Of(KeyRule::kKeyAccessed), (Counted{{"a/1", 6}}));
  EXPECT_EQ(Of(KeyRule::kPartitionAccessed, "byStatus"), (Counted{{"open", 3}}));
}

TEST_F(KeyWatchTest, KeysOfAnyBytesAreToldApart) {
  const std::string_view zero("\0", 1);
  const std::string_view zeros("\0\0", 2);
  ASSERT_TRUE(Get(zero, zeros));
  ASSERT_TRUE(Get(zeros, zero));
  EXPECT_EQ(Of(KeyRule::kPartitionAccessed), (Counted{{std::string(zero), 1}, {std::string(zeros), 1}}));
  EXPECT_EQ(Of(KeyRule::kKeyAccessed).size(), 2U);
}

class ThrottledKeysTest : public KeyWatchTest {
 protected:
  ThrottledKeysTest() : KeyWatchTest(WithThrottle()) {}
  static EngineOptions WithThrottle() {
    EngineOptions options;
    options.throttle = true;
    return options;
  }
  // Leaves no capacity for any more.
  void SetMaximum(OnDemandThroughput table, OnDemandThroughput index) {
    const auto changed = engine_->catalog().Change(kTable, [&](catalog::Table& edited) -> Result<void> {
      edited.on_demand_throughput = table;
      edited.indexes[0].on_demand_throughput = index;
      return {};
    });
    ASSERT_TRUE(changed);
  }
};

TEST_F(ThrottledKeysTest, WhatIsRefusedCountsForTheKeysItWasFor) {
  SetMaximum({.max_read_units = 1, .max_write_units = 1}, {.max_read_units = 1, .max_write_units = 100});
  ASSERT_TRUE(Get("a", "1"));
  EXPECT_FALSE(Get("a", "2"));
  EXPECT_FALSE(Query("b"));
  ASSERT_TRUE(Write(WriteKind::kPut, OfStatus("c", "1", "open")));
  EXPECT_FALSE(Write(WriteKind::kPut, OfStatus("c", "1", "closed")));
  EXPECT_EQ(Of(KeyRule::kPartitionThrottled), (Counted{{"a", 1}, {"b", 1}, {"c", 1}}));
  EXPECT_EQ(Of(KeyRule::kKeyThrottled), (Counted{{"a/2", 1}, {"c/1", 1}}));
  EXPECT_EQ(Of(KeyRule::kPartitionAccessed), (Counted{{"a", 1}, {"c", 3}}));
  EXPECT_EQ(Of(KeyRule::kPartitionThrottled, "byStatus"), Counted());
}

TEST_F(ThrottledKeysTest, AWriteThatOnlyAnIndexHeldUpIsNotTold) {
  SetMaximum({.max_read_units = 100, .max_write_units = 100}, {.max_read_units = 1, .max_write_units = 1});
  ASSERT_TRUE(Write(WriteKind::kPut, OfStatus("c", "1", "open")));
  EXPECT_FALSE(Write(WriteKind::kPut, OfStatus("c", "2", "open")));
  EXPECT_EQ(Of(KeyRule::kPartitionThrottled), Counted());
  EXPECT_EQ(Of(KeyRule::kPartitionThrottled, "byStatus"), Counted());
  ASSERT_TRUE(Query("open", "byStatus"));
  ASSERT_TRUE(Query("open", "byStatus"));
  EXPECT_FALSE(Query("open", "byStatus"));
  EXPECT_EQ(Of(KeyRule::kPartitionThrottled, "byStatus"), (Counted{{"open", 1}}));
}

TEST_F(ThrottledKeysTest, OfThrottledKeysOnlyNothingElseCounts) {
  Watch(std::nullopt, true);
  SetMaximum({.max_read_units = 1, .max_write_units = 1}, {});
  ASSERT_TRUE(Get("a", "1"));
  EXPECT_FALSE(Get("a", "1"));
  EXPECT_EQ(Of(KeyRule::kPartitionAccessed), Counted());
  EXPECT_EQ(Of(KeyRule::kPartitionThrottled), (Counted{{"a", 1}}));
}

}  // namespace
}  // namespace taula::engine
