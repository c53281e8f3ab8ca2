#include "engine/write.h"

#include <gmock/gmock.h>

#include "engine/statistics.h"
#include "engine/test_fixture.h"

namespace taula::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr codec::SpaceId kTable = 1;
constexpr codec::SpaceId kByGrade = 2;
constexpr codec::SpaceId kByStatus = 3;
constexpr codec::SpaceId kTitles = 4;

using WriteTest = TableTest;

TEST_F(WriteTest, PutMakesTheItemAndItsIndexEntries) {
  const Item item{{"PK", "u1"}, {"SK", "a"}, {"status", "open"}, {"grade", 7}, {"kind", "book"}, {"title", "T"}};
  ASSERT_TRUE(Write(Put(item)));
  EXPECT_THAT(Contents(kTable), ElementsAre(item));
  EXPECT_THAT(Contents(kByStatus), ElementsAre(item));
  EXPECT_THAT(Contents(kByGrade), ElementsAre(Item{{"PK", "u1"}, {"SK", "a"}, {"grade", 7}}));
  EXPECT_THAT(Contents(kTitles), ElementsAre(Item{{"PK", "u1"}, {"SK", "a"}, {"kind", "book"}, {"title", "T"}}));
}

TEST_F(WriteTest, AnItemWithoutAnIndexKeyIsNotInThatIndex) {
  ASSERT_TRUE(Write(Put({{"PK", "u1"}, {"SK", "a"}, {"status", "open"}})));
  EXPECT_THAT(Contents(kByStatus), SizeIs(1));
  EXPECT_THAT(Contents(kByGrade), IsEmpty());
}

TEST_F(WriteTest, PutMovesIndexEntriesWhoseKeyChanged) {
  ASSERT_TRUE(Write(Put({{"PK", "u1"}, {"SK", "a"}, {"status", "open"}})));
  const Item closed{{"PK", "u1"}, {"SK", "a"}, {"status", "closed"}};
  ASSERT_TRUE(Write(Put(closed)));
  EXPECT_THAT(Contents(kByStatus), ElementsAre(closed));
}

TEST_F(WriteTest, DeleteRemovesTheItemAndItsIndexEntries) {
  ASSERT_TRUE(Write(Put({{"PK", "u1"}, {"SK", "a"}, {"status", "open"}, {"grade", 1}})));
  WriteAction remove = Delete({{"PK", "u1"}, {"SK", "a"}});
  remove.return_values = ReturnValues::kAllOld;
  const Result<WriteOutcome> outcome = Write(std::move(remove));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->attributes, (Item{{"PK", "u1"}, {"SK", "a"}, {"status", "open"}, {"grade", 1}}));
  for (const codec::SpaceId space : {kTable, kByGrade, kByStatus}) EXPECT_THAT(Contents(space), IsEmpty());
}

TEST_F(WriteTest, DeletingNothingSucceedsAndCostsOneUnit) {
  const Result<WriteOutcome> outcome = Write(Delete({{"PK", "u1"}, {"SK", "a"}}));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->capacity.table.write_units, 1);
  EXPECT_FALSE(outcome->attributes);
}

TEST_F(WriteTest, UpdateCreatesAnItemThatIsNotThere) {
  WriteAction update = Update({{"PK", "u1"}, {"SK", "a"}});
  update.update = UpdateOf("ADD n :one", {{":one", 1}});
  update.return_values = ReturnValues::kAllNew;
  const Result<WriteOutcome> outcome = Write(std::move(update));
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->attributes, (Item{{"PK", "u1"}, {"SK", "a"}, {"n", 1}}));
}

TEST_F(WriteTest, UpdateWithoutAnExpressionMakesTheKeyExist) {
  ASSERT_TRUE(Write(Update({{"PK", "u1"}, {"SK", "a"}})));
  EXPECT_THAT(Contents(kTable), ElementsAre(Item{{"PK", "u1"}, {"SK", "a"}}));
}

TEST_F(WriteTest, UpdateMovesTheIndexEntry) {
  ASSERT_TRUE(Write(Put({{"PK", "u1"}, {"SK", "a"}, {"kind", "book"}, {"title", "T"}})));
  WriteAction update = Update({{"PK", "u1"}, {"SK", "a"}});
  update.update = UpdateOf("SET kind = :k", {{":k", "film"}});
  ASSERT_TRUE(Write(std::move(update)));
  EXPECT_THAT(Contents(kTitles), ElementsAre(Item{{"PK", "u1"}, {"SK", "a"}, {"kind", "film"}, {"title", "T"}}));
}

TEST_F(WriteTest, UpdateToAnIndexKeyOfTheWrongTypeIsRefused) {
  ASSERT_TRUE(Write(Put({{"PK", "u1"}, {"SK", "a"}, {"grade", 1}})));
  WriteAction update = Update({{"PK", "u1"}, {"SK", "a"}});
  update.update = UpdateOf("SET grade = :s", {{":s", "high"}});
  const Result<WriteOutcome> outcome = Write(std::move(update));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message,
            "One or more parameter values were invalid: Type mismatch for Index Key grade Expected: N Actual: S "
            "IndexName: byGrade");
  EXPECT_THAT(Contents(kTable), ElementsAre(Item{{"PK", "u1"}, {"SK", "a"}, {"grade", 1}}));
}

TEST_F(WriteTest, UpdateThatMakesTheItemTooLargeIsRefused) {
  ASSERT_TRUE(Write(Put({{"PK", "u1"}, {"SK", "a"}, {"blob", std::string(300'000, 'x')}})));
  WriteAction update = Update({{"PK", "u1"}, {"SK", "a"}});
  update.update = UpdateOf("SET more = :m", {{":m", std::string(200'000, 'y')}});
  const Result<WriteOutcome> outcome = Write(std::move(update));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "Item size to update has exceeded the maximum allowed size");
}

TEST_F(WriteTest, TheClausesOfAnUpdateCountAgainstTheLimitToo) {
  // A statement of one SET costs 3 + 19, beside the name and the value.
  constexpr std::size_t kLargest = 409'600 - 3 - 19 - 1;
  for (const auto& [bytes, fits] : {std::pair(kLargest, true), {kLargest + 1, false}}) {
    WriteAction update = Update({{"PK", "u"}, {"SK", "a"}});
    update.update = UpdateOf("SET x = :x", {{":x", std::string(bytes, 'x')}});
    EXPECT_EQ(Write(std::move(update)).has_value(), fits) << bytes;
  }
}

TEST_F(WriteTest, FailedConditionChangesNothingAndShowsTheItemWhenAsked) {
  const Item item{{"PK", "u1"}, {"SK", "a"}, {"n", 1}};
  ASSERT_TRUE(Write(Put(item)));
  WriteAction put = Put({{"PK", "u1"}, {"SK", "a"}, {"n", 2}});
  put.condition = ConditionOf("attribute_not_exists(PK)");
  put.return_on_condition_failure = ReturnOnConditionFailure::kAllOld;
  const Result<WriteOutcome> outcome = Write(std::move(put));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kConditionalCheckFailedException);
  EXPECT_EQ(outcome.error().item, item);
  EXPECT_THAT(Contents(kTable), ElementsAre(item));
}

TEST_F(WriteTest, UpdatedOldAndNewShowOnlyWhatWasUpdated) {
  ASSERT_TRUE(Write(Put({{"PK", "u1"}, {"SK", "a"}, {"n", 1}, {"m", 1}})));
  for (const auto& [which, expected] : {std::pair(ReturnValues::kUpdatedOld, 1), {ReturnValues::kUpdatedNew, 3}}) {
    WriteAction update = Update({{"PK", "u1"}, {"SK", "a"}});
    update.update = UpdateOf("SET n = n + :one", {{":one", 1}});
    update.return_values = which;
    const Result<WriteOutcome> outcome = Write(std::move(update));
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->attributes, (Item{{"n", expected}}));
  }
}

TEST_F(WriteTest, CapacityIsOfTheLargerImage) {
  const Result<WriteOutcome> large = Write(Put({{"PK", "u1"}, {"SK", "a"}, {"x", std::string(3000, 'x')}}));
  EXPECT_EQ(large->capacity.table.write_units, 3);
  const Result<WriteOutcome> small = Write(Put({{"PK", "u1"}, {"SK", "a"}}));
  EXPECT_EQ(small->capacity.table.write_units, 3);
}

TEST_F(WriteTest, AnIndexIsChargedForWhatItSees) {
  const auto units = [this](Item item) {
    const Result<WriteOutcome> outcome = Write(Put(std::move(item)));
    const auto& indexes = outcome->capacity.global_indexes;
    return indexes.contains("titles") ? indexes.at("titles").write_units : 0;
  };
  EXPECT_EQ(units({{"PK", "u1"}, {"SK", "a"}, {"kind", "book"}, {"title", "A"}}), 1) << "new entry";
  EXPECT_EQ(units({{"PK", "u1"}, {"SK", "a"}, {"kind", "book"}, {"title", "A"}, {"n", 1}}), 0) << "not projected";
  EXPECT_EQ(units({{"PK", "u1"}, {"SK", "a"}, {"kind", "book"}, {"title", "B"}}), 1) << "changed in place";
  EXPECT_EQ(units({{"PK", "u1"}, {"SK", "a"}, {"kind", "film"}, {"title", "B"}}), 2) << "moved";
  EXPECT_EQ(units({{"PK", "u1"}, {"SK", "a"}, {"title", "B"}}), 1) << "removed";
}

TEST_F(WriteTest, StatisticsCountItemsAndBytesOfTableAndIndexes) {
  ASSERT_TRUE(Write(Put({{"PK", "u1"}, {"SK", "a"}, {"kind", "book"}, {"title", "A"}, {"other", "1234"}})));
  ASSERT_TRUE(Write(Put({{"PK", "u1"}, {"SK", "b"}})));
  EXPECT_EQ(ReadStatistics(*store_, kTable).items, 2);
  EXPECT_EQ(ReadStatistics(*store_, kTable).bytes, (4 + 3 + 8 + 6 + 9) + (4 + 3));
  EXPECT_EQ(ReadStatistics(*store_, kTitles).items, 1);
  EXPECT_EQ(ReadStatistics(*store_, kTitles).bytes, 4 + 3 + 8 + 6);
  ASSERT_TRUE(Write(Delete({{"PK", "u1"}, {"SK", "a"}})));
  EXPECT_EQ(ReadStatistics(*store_, kTable).items, 1);
  EXPECT_EQ(ReadStatistics(*store_, kTitles).items, 0);
  EXPECT_EQ(ReadStatistics(*store_, kTitles).bytes, 0);
}

TEST_F(WriteTest, CollectionSizeCountsItemsAndLocalEntries) {
  WriteAction put = Put({{"PK", "u1"}, {"SK", "a"}, {"grade", 1}, {"x", "12345"}});
  put.report_collection_size = true;
  const Result<WriteOutcome> outcome = Write(std::move(put));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->collection_bytes, (4 + 3 + 7 + 6) + (4 + 3 + 7));
}

}  // namespace
}  // namespace taula::engine
