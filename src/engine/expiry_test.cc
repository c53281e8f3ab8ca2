#include "engine/expiry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "codec/stored_item.h"
#include "engine/engine_testing.h"
#include "engine/expiry_sweep.h"

namespace taula::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class ExpiryTest : public EngineTest {
 protected:
  static constexpr std::int64_t kNow = kStartMs / 1000;

  void SetTimeToLive(bool enabled, const std::string& attribute = "ttl") {
    const auto updated = engine_->tables().UpdateTimeToLive(kTable, {attribute, enabled});
    ASSERT_TRUE(updated) << updated.error().message;
    engine_->tables().WaitForBackgroundWork();
  }

  static Item Session(const std::string& name, Value ttl) {
    return {{"PK", name}, {"SK", "session"}, {"status", "open"}, {"ttl", std::move(ttl)}};
  }

  std::size_t Sweep() { return engine_->SweepExpired(); }

  std::vector<std::string> Names(std::optional<std::string_view> index = std::nullopt) {
    const catalog::TablePtr table = engine_->FindTable(kTable);
    const codec::SpaceId space = index ? table->FindIndex(*index)->space : table->space;
    std::vector<std::string> names;
    EXPECT_EQ(storage::Status::kOk,
              engine_->store().Scan(codec::SpaceRange(space), {}, [&](std::string_view, std::string_view stored) {
                names.emplace_back(codec::StoredItemValue(stored).Find("PK")->bytes());
                return true;
              }));
    return names;
  }

  std::size_t ExpiryKeys() {
    std::size_t count = 0;
    EXPECT_EQ(storage::Status::kOk,
              engine_->store().Scan(AllExpiriesRange(engine_->FindTable(kTable)->space), {},
                                    [&](std::string_view, std::string_view) { return ++count > 0; }));
    return count;
  }
};

TEST_F(ExpiryTest, ExpiredItemsGoFromTheTableAndItsIndexes) {
  CreateTable();
  SetTimeToLive(true);
  Put(Session("past", Value(kNow - 10)));
  Put(Session("now", Value(kNow)));
  Put(Session("later", Value(kNow + 10)));
  EXPECT_EQ(Sweep(), 2U);
  EXPECT_THAT(Names(), ElementsAre("later"));
  EXPECT_THAT(Names("byStatus"), ElementsAre("later"));
  EXPECT_EQ(ExpiryKeys(), 1U);
  EXPECT_EQ(engine_->tables().Describe(kTable)->item_count, 1);
  clock_.Advance(10'000);
  EXPECT_EQ(Sweep(), 1U);
  EXPECT_THAT(Names(), IsEmpty());
  EXPECT_EQ(ExpiryKeys(), 0U);
}

TEST_F(ExpiryTest, ItemsStayWhoseTimeIsNoneOrTooOld) {
  CreateTable();
  SetTimeToLive(true);
  Put({{"PK", "without"}, {"SK", "session"}});
  Put(Session("text", Value(std::to_string(kNow - 10))));
  Put(Session("zero", Value(0)));
  Put(Session("negative", Value(-5)));
  Put(Session("huge", *Value::Number("1E100")));
  Put(Session("milliseconds", Value(kStartMs)));
  Put(Session("six years ago", Value(kNow - 6 * 365 * 24 * 60 * 60)));
  EXPECT_EQ(Sweep(), 0U);
  EXPECT_THAT(Names(), SizeIs(7));
}

TEST_F(ExpiryTest, AFractionOfASecondMakesNoDifference) {
  CreateTable();
  SetTimeToLive(true);
  Put(Session("half", *Value::Number(std::to_string(kNow - 1) + ".5")));
  EXPECT_EQ(Sweep(), 1U);
}

TEST_F(ExpiryTest, ATimeThatIsMovedOrRemovedCounts) {
  CreateTable();
  SetTimeToLive(true);
  Put(Session("extended", Value(kNow - 10)));
  Put(Session("extended", Value(kNow + 100)));
  Put(Session("kept", Value(kNow - 10)));
  Put({{"PK", "kept"}, {"SK", "session"}});
  Put(Session("deleted", Value(kNow + 100)));
  Delete({{"PK", "deleted"}, {"SK", "session"}});
  EXPECT_EQ(ExpiryKeys(), 1U);
  EXPECT_EQ(Sweep(), 0U);
  EXPECT_THAT(Names(), UnorderedElementsAre("extended", "kept"));
}

TEST_F(ExpiryTest, ItemsOfTheTimeBeforeItWasTurnedOnExpireToo) {
  CreateTable();
  for (int i = 0; i < 300; ++i) Put(Session("past" + std::to_string(i), Value(kNow - 10)));
  Put(Session("later", Value(kNow + 10)));
  EXPECT_EQ(ExpiryKeys(), 0U) << "a table without it pays nothing";
  SetTimeToLive(true);
  EXPECT_EQ(engine_->tables().DescribeTimeToLive(kTable)->status, TimeToLiveStatus::kEnabled);
  EXPECT_EQ(ExpiryKeys(), 301U);
  EXPECT_EQ(Sweep(), 300U);
  EXPECT_THAT(Names(), ElementsAre("later"));
}

TEST_F(ExpiryTest, NothingExpiresOnceItIsTurnedOff) {
  CreateTable();
  SetTimeToLive(true);
  Put(Session("past", Value(kNow - 10)));
  SetTimeToLive(false);
  EXPECT_EQ(ExpiryKeys(), 0U);
  EXPECT_EQ(Sweep(), 0U);
  Put({{"PK", "past"}, {"SK", "session"}, {"other", kNow - 10}});
  SetTimeToLive(true, "other");
  EXPECT_EQ(Sweep(), 1U);
}

TEST_F(ExpiryTest, AStrayExpiryKeyIsRemovedAndItsItemIsNot) {
  CreateTable();
  SetTimeToLive(true);
  Put(Session("later", Value(kNow + 100)));
  const catalog::TablePtr table = engine_->FindTable(kTable);
  std::string item_key;
  engine_->store().Scan(codec::SpaceRange(table->space), {}, [&](std::string_view key, std::string_view) {
    item_key = key;
    return false;
  });
  storage::MutateAndWait(engine_->store(), {}, [&](auto, storage::Batch& batch) {
    batch.Put(ExpiryKey(table->space, kNow - 5, item_key), "");
    return true;
  });
  EXPECT_EQ(Sweep(), 0U);
  EXPECT_EQ(ExpiryKeys(), 1U);
  EXPECT_THAT(Names(), ElementsAre("later"));
}

TEST_F(ExpiryTest, TheStreamSaysThatTheServiceDidIt) {
  CreateTable(StreamViewType::kOldImage);
  SetTimeToLive(true);
  Put(Session("past", Value(kNow - 10)));
  Sweep();
  const catalog::StreamPtr stream = engine_->streams().List().front();
  std::vector<ChangeKind> kinds;
  for (std::uint32_t lane = 0; lane < stream->lanes; ++lane) {
    engine_->store().Scan(LaneRange(stream->space, lane, 0, std::numeric_limits<std::uint64_t>::max()), {},
                          [&](std::string_view, std::string_view record) {
                            kinds.push_back(DecodeChange(record)->kind);
                            return true;
                          });
  }
  EXPECT_THAT(kinds, ElementsAre(ChangeKind::kInsert, ChangeKind::kExpire));
}

}  // namespace
}  // namespace taula::engine
