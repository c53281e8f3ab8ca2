#include "engine/streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codec/stored_item.h"
#include "engine/engine_testing.h"

namespace taula::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kHourMs = 60LL * 60 * 1000;

struct Seen {
  ChangeKind kind = ChangeKind::kInsert;
  std::uint64_t position = 0;
  std::optional<Item> key;
  std::optional<Item> before;
  std::optional<Item> after;
};

std::optional<Item> ItemOf(const std::optional<std::string_view>& stored) {
  if (!stored) return std::nullopt;
  return Item(codec::StoredItemValue(*stored));
}

class StreamsTest : public EngineTest {
 protected:
  [[nodiscard]] Streams& streams() { return engine_->streams(); }

  catalog::StreamPtr Latest() {
    const auto all = streams().List();
    EXPECT_FALSE(all.empty());
    return all.back();
  }

  ShardIterator Begin(const StreamShard& shard, ShardIteratorType type, std::uint64_t position = 0) {
    const auto iterator = streams().Begin(streams().Arn(*Latest()), shard.id, type, position);
    EXPECT_TRUE(iterator) << iterator.error().message;
    return *iterator;
  }

  // The records from there on, and where to go on.
  std::vector<Seen> Read(std::optional<ShardIterator>& from, std::size_t limit = 1000) {
    std::vector<Seen> seen;
    const auto next = streams().Read(*from, limit, [&](const catalog::Stream&, std::uint64_t position, const auto& r) {
      seen.push_back({r.kind, position, ItemOf(r.key), ItemOf(r.before), ItemOf(r.after)});
    });
    EXPECT_TRUE(next) << next.error().message;
    if (next) from = *next;
    return seen;
  }

  std::vector<Seen> ReadShard(const StreamShard& shard) {
    std::optional<ShardIterator> from = Begin(shard, ShardIteratorType::kTrimHorizon);
    return Read(from);
  }

  // All records of a stream, in the order of their positions.
  std::vector<Seen> ReadAll(const catalog::Stream& stream) {
    std::map<std::uint64_t, Seen> seen;
    for (const StreamShard& shard : Streams::Shards(stream)) {
      auto iterator = streams().Begin(streams().Arn(stream), shard.id, ShardIteratorType::kTrimHorizon, 0);
      EXPECT_TRUE(iterator) << iterator.error().message;
      std::optional<ShardIterator> from = *iterator;
      for (Seen& record : Read(from)) seen.emplace(record.position, std::move(record));
    }
    std::vector<Seen> all;
    for (auto& [position, record] : seen) all.push_back(std::move(record));
    return all;
  }
  std::vector<Seen> ReadAll() { return ReadAll(*Latest()); }

  void SetStream(bool enabled) {
    UpdateTableRequest request;
    request.table_name = kTable;
    request.stream = {enabled, enabled ? std::optional(StreamViewType::kNewAndOldImages) : std::nullopt};
    const auto updated = engine_->tables().Update(request);
    ASSERT_TRUE(updated) << updated.error().message;
    engine_->tables().WaitForBackgroundWork();
  }

  static Item Order(int number, int total) {
    return {{"PK", "order#" + std::to_string(number)}, {"SK", "meta"}, {"total", total}};
  }
  static Item Key(int number) { return {{"PK", "order#" + std::to_string(number)}, {"SK", "meta"}}; }
};

TEST_F(StreamsTest, TellInsertsChangesAndRemovals) {
  CreateTable(StreamViewType::kNewAndOldImages);
  Put(Order(1, 10));
  Put(Order(1, 20));
  Delete(Key(1));
  const std::vector<Seen> seen = ReadAll();
  ASSERT_THAT(seen, SizeIs(3));
  EXPECT_EQ(seen[0].kind, ChangeKind::kInsert);
  EXPECT_EQ(seen[0].before, std::nullopt);
  EXPECT_EQ(seen[0].after, Order(1, 10));
  EXPECT_EQ(seen[1].kind, ChangeKind::kModify);
  EXPECT_EQ(seen[1].before, Order(1, 10));
  EXPECT_EQ(seen[1].after, Order(1, 20));
  EXPECT_EQ(seen[2].kind, ChangeKind::kRemove);
  EXPECT_EQ(seen[2].before, Order(1, 20));
  EXPECT_EQ(seen[2].after, std::nullopt);
}

TEST_F(StreamsTest, SayNothingWhenNothingChanges) {
  CreateTable(StreamViewType::kNewAndOldImages);
  Put(Order(1, 10));
  Put(Order(1, 10));
  Delete(Key(2));
  EXPECT_THAT(ReadAll(), SizeIs(1));
}

TEST_F(StreamsTest, KeysOnlyHasTheKeyAndNoImage) {
  CreateTable(StreamViewType::kKeysOnly);
  Put(Order(1, 10));
  Delete(Key(1));
  const std::vector<Seen> seen = ReadAll();
  ASSERT_THAT(seen, SizeIs(2));
  for (const Seen& record : seen) {
    EXPECT_EQ(record.key, Key(1));
    EXPECT_EQ(record.before, std::nullopt);
    EXPECT_EQ(record.after, std::nullopt);
  }
}

TEST_F(StreamsTest, NewImageHasTheKeyAloneWhenTheItemIsGone) {
  CreateTable(StreamViewType::kNewImage);
  Put(Order(1, 10));
  Put(Order(1, 20));
  Delete(Key(1));
  const std::vector<Seen> seen = ReadAll();
  ASSERT_THAT(seen, SizeIs(3));
  EXPECT_EQ(seen[1].before, std::nullopt);
  EXPECT_EQ(seen[1].after, Order(1, 20));
  EXPECT_EQ(seen[2].key, Key(1));
}

TEST_F(StreamsTest, OldImageHasTheKeyAloneWhenTheItemIsNew) {
  CreateTable(StreamViewType::kOldImage);
  Put(Order(1, 10));
  Put(Order(1, 20));
  const std::vector<Seen> seen = ReadAll();
  ASSERT_THAT(seen, SizeIs(2));
  EXPECT_EQ(seen[0].key, Key(1));
  EXPECT_EQ(seen[1].before, Order(1, 10));
  EXPECT_EQ(seen[1].after, std::nullopt);
}

TEST_F(StreamsTest, SpreadOverShardsAndKeepTheOrderOfAnItem) {
  CreateTable(StreamViewType::kNewImage);
  constexpr int kOrders = 40;
  for (int total = 1; total <= 3; ++total) {
    for (int order = 0; order < kOrders; ++order) Put(Order(order, total));
  }
  const std::vector<StreamShard> shards = Streams::Shards(*Latest());
  EXPECT_THAT(shards, SizeIs(catalog::kStreamLanes));
  std::map<std::string, int> totals;
  for (const StreamShard& shard : shards) {
    const std::vector<Seen> seen = ReadShard(shard);
    EXPECT_FALSE(seen.empty()) << "of forty partitions some fall into every shard";
    for (const Seen& record : seen) {
      const std::string order(record.after->Find("PK")->bytes());
      EXPECT_EQ(*record.after->Find("total"), Value(++totals[order]).view());
    }
  }
  EXPECT_THAT(totals, SizeIs(kOrders));
}

TEST_F(StreamsTest, BeginWhereTheyAreAskedTo) {
  CreateTable(StreamViewType::kNewImage);
  for (int total = 1; total <= 3; ++total) Put(Order(1, total));
  const std::vector<Seen> seen = ReadAll();
  ASSERT_THAT(seen, SizeIs(3));
  std::vector<StreamShard> shards = Streams::Shards(*Latest());
  const auto shard = std::ranges::find_if(shards, [&](const StreamShard& each) { return !ReadShard(each).empty(); });
  const auto totals = [&](ShardIterator begin) {
    std::vector<std::string> found;
    std::optional<ShardIterator> from = begin;
    for (const Seen& record : Read(from)) found.push_back(record.after->Find("total")->number_text());
    return found;
  };
  const std::uint64_t middle = seen[1].position;
  EXPECT_THAT(totals(Begin(*shard, ShardIteratorType::kTrimHorizon)), ElementsAre("1", "2", "3"));
  EXPECT_THAT(totals(Begin(*shard, ShardIteratorType::kAtSequenceNumber, middle)), ElementsAre("2", "3"));
  EXPECT_THAT(totals(Begin(*shard, ShardIteratorType::kAfterSequenceNumber, middle)), ElementsAre("3"));
  const ShardIterator latest = Begin(*shard, ShardIteratorType::kLatest);
  EXPECT_THAT(totals(latest), IsEmpty());
  Put(Order(1, 4));
  EXPECT_THAT(totals(latest), ElementsAre("4"));
  EXPECT_FALSE(streams().Begin(streams().Arn(*Latest()), shard->id, ShardIteratorType::kAtSequenceNumber, 0));
}

TEST_F(StreamsTest, ReadPageByPage) {
  CreateTable(StreamViewType::kNewImage);
  for (int total = 1; total <= 5; ++total) Put(Order(1, total));
  std::vector<StreamShard> shards = Streams::Shards(*Latest());
  const auto shard = std::ranges::find_if(shards, [&](const StreamShard& each) { return !ReadShard(each).empty(); });
  std::optional<ShardIterator> from = Begin(*shard, ShardIteratorType::kTrimHorizon);
  EXPECT_THAT(Read(from, 2), SizeIs(2));
  EXPECT_THAT(Read(from, 2), SizeIs(2));
  EXPECT_THAT(Read(from, 2), SizeIs(1));
  EXPECT_THAT(Read(from, 2), IsEmpty());
  ASSERT_TRUE(from) << "the shard is open";
  Put(Order(1, 6));
  EXPECT_THAT(Read(from, 2), SizeIs(1));
}

TEST_F(StreamsTest, AnIteratorExpires) {
  CreateTable(StreamViewType::kNewImage);
  const ShardIterator from = Begin(Streams::Shards(*Latest()).front(), ShardIteratorType::kTrimHorizon);
  clock_.Advance(kShardIteratorLifetimeMs + 1);
  const auto read = streams().Read(from, 10, [](const auto&...) {});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kExpiredIteratorException);
}

TEST_F(StreamsTest, CloseTheirShardsAfterSomeHoursAndGoOnInTheirChildren) {
  CreateTable(StreamViewType::kNewImage);
  Put(Order(1, 1));
  clock_.Advance(kStreamPeriodMs);
  streams().Keep();
  Put(Order(1, 2));
  const std::vector<StreamShard> shards = Streams::Shards(*Latest());
  ASSERT_THAT(shards, SizeIs(2 * catalog::kStreamLanes));
  for (std::size_t lane = 0; lane < catalog::kStreamLanes; ++lane) {
    const StreamShard& parent = shards[lane];
    const StreamShard& child = shards[lane + catalog::kStreamLanes];
    EXPECT_EQ(child.parent, parent.id);
    ASSERT_TRUE(parent.last_position);
    EXPECT_EQ(*parent.last_position + 1, child.first_position);
    EXPECT_FALSE(child.last_position);
    std::optional<ShardIterator> from = Begin(parent, ShardIteratorType::kTrimHorizon);
    const std::size_t in_parent = Read(from).size();
    EXPECT_FALSE(from) << "there will be no more";
    EXPECT_EQ(ReadShard(child).size(), in_parent) << "an item stays in its lane";
  }
  EXPECT_THAT(ReadAll(), SizeIs(2));
}

TEST_F(StreamsTest, AnIdleStreamKeepsItsShards) {
  CreateTable(StreamViewType::kNewImage);
  clock_.Advance(10 * kStreamPeriodMs);
  streams().Keep();
  EXPECT_THAT(Streams::Shards(*Latest()), SizeIs(catalog::kStreamLanes));
}

TEST_F(StreamsTest, ForgetWhatIsADayOld) {
  CreateTable(StreamViewType::kNewImage);
  Put(Order(1, 1));
  const std::vector<Seen> first = ReadAll();
  clock_.Advance(5 * kHourMs);
  streams().Keep();
  Put(Order(1, 2));
  clock_.Advance(20 * kHourMs);
  streams().Keep();
  const std::vector<Seen> left = ReadAll();
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(*left[0].after->Find("total"), Value(2).view());
  for (const StreamShard& shard : Streams::Shards(*Latest())) {
    EXPECT_GT(shard.first_position, first[0].position) << "a shard without records goes too";
  }
  ShardIterator old = Begin(Streams::Shards(*Latest()).front(), ShardIteratorType::kTrimHorizon);
  old.position = first[0].position;
  const auto read = streams().Read(old, 10, [](const auto&...) {});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kTrimmedDataAccessException);
}

TEST_F(StreamsTest, CanBeReadForADayAfterTheyAreTurnedOff) {
  CreateTable(StreamViewType::kNewImage);
  Put(Order(1, 1));
  EXPECT_EQ(streams().Status(*Latest()), StreamStatus::kEnabled);
  const std::string arn = streams().Arn(*Latest());
  SetStream(false);
  EXPECT_EQ(streams().Status(*Latest()), StreamStatus::kDisabled);
  Put(Order(1, 2));
  EXPECT_THAT(ReadAll(), SizeIs(1));
  for (const StreamShard& shard : Streams::Shards(*Latest())) EXPECT_TRUE(shard.last_position);
  clock_.Advance(kHourMs);
  SetStream(true);
  ASSERT_THAT(streams().List(), SizeIs(2));
  EXPECT_NE(streams().Arn(*Latest()), arn);
  Put(Order(1, 3));
  EXPECT_THAT(ReadAll(), SizeIs(1));
  clock_.Advance(24 * kHourMs);
  streams().Keep();
  EXPECT_THAT(streams().List(), SizeIs(1));
  EXPECT_FALSE(streams().Find(arn));
}

TEST_F(StreamsTest, OutliveTheirTableForADay) {
  CreateTable(StreamViewType::kNewImage);
  Put(Order(1, 1));
  ASSERT_TRUE(engine_->tables().Delete(kTable));
  engine_->tables().WaitForBackgroundWork();
  EXPECT_EQ(streams().Status(*Latest()), StreamStatus::kDisabled);
  EXPECT_THAT(ReadAll(), SizeIs(1));
  clock_.Advance(24 * kHourMs);
  streams().Keep();
  EXPECT_THAT(streams().List(), IsEmpty());
}

TEST_F(StreamsTest, AreNotFoundByOtherNames) {
  CreateTable(StreamViewType::kNewImage);
  const std::string arn = streams().Arn(*Latest());
  EXPECT_TRUE(streams().Find(arn));
  for (const std::string& other :
       {arn + "x", arn.substr(0, arn.find("/stream")), std::string("orders"),
        "arn:aws:dynamodb:eu-west-1" + arn.substr(std::string("arn:aws:dynamodb:us-east-1").size())}) {
    const auto found = streams().Find(other);
    ASSERT_FALSE(found) << other;
    EXPECT_EQ(found.error().code, ErrorCode::kResourceNotFoundException);
  }
}

TEST(ShardIterators, ComeBackFromTheirText) {
  const ShardIterator iterator{.stream_arn = "arn:aws:dynamodb:us-east-1:1:table/t/stream/x",
                               .lane = 3,
                               .period_first = 1ULL << 40,
                               .position = 7,
                               .issued_ms = 1'790'000'000'000};
  const auto back = ShardIteratorFrom(ToText(iterator));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->stream_arn, iterator.stream_arn);
  EXPECT_EQ(back->lane, iterator.lane);
  EXPECT_EQ(back->period_first, iterator.period_first);
  EXPECT_EQ(back->position, iterator.position);
  EXPECT_EQ(back->issued_ms, iterator.issued_ms);
  for (const std::string_view text : {"", "x", "|1|", "arn|1|AAAA", "arn|2|", "arn|1|====", "|1||1|"}) {
    EXPECT_FALSE(ShardIteratorFrom(text)) << text;
  }
}

TEST(SequenceNumbers, SortAsTextsAndComeBack) {
  EXPECT_EQ(SequenceNumber(42), "100000000000000000042");
  EXPECT_LT(SequenceNumber(9), SequenceNumber(10));
  EXPECT_EQ(PositionFrom(SequenceNumber(42)), 42U);
  for (const std::string_view text :
       {"", "42", "200000000000000000042", "10000000000000000004x", "199999999999999999999"}) {
    EXPECT_FALSE(PositionFrom(text)) << text;
  }
}

}  // namespace
}  // namespace taula::engine
