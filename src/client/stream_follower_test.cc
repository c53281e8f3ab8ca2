#include "client/stream_follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <optional>
#include <string>
#include <vector>

namespace taula::client {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A stream with one shard, whose iterators are positions.
class FakeStream {
 public:
  std::vector<std::string> records;  // names of items; sequence numbers are 100 + their place
  std::optional<Error> failure;
  std::vector<std::string> iterator_types;
  bool iterators_expire = false;

  CallFunction Call() {
    return [this](std::string_view operation, const std::string& body) -> Result<std::string> {
      if (failure) return std::unexpected(*failure);
      simdjson::dom::parser parser;
      const simdjson::dom::element json = parser.parse(body).value();
      if (operation == "DescribeTable") {
        return R"({"Table":{"LatestStreamArn":"arn","StreamSpecification":{"StreamEnabled":true}}})";
      }
      if (operation == "DescribeStream") return R"({"StreamDescription":{"Shards":[{"ShardId":"s"}]}})";
      if (operation == "GetShardIterator") return Iterator(json);
      if (std::exchange(iterators_expire, false)) return Fail(ErrorCode::kExpiredIteratorException, "old");
      return Records(json);
    };
  }

 private:
  Result<std::string> Iterator(simdjson::dom::element json) {
    const std::string type(json["ShardIteratorType"].get_string().value());
    iterator_types.push_back(type);
    std::size_t at = type == "LATEST" ? records.size() : 0;
    std::string_view number;
    if (json["SequenceNumber"].get(number) == simdjson::SUCCESS) {
      at = std::stoul(std::string(number)) - 100 + (type == "AFTER_SEQUENCE_NUMBER" ? 1 : 0);
    }
    return R"({"ShardIterator":")" + std::to_string(at) + "\"}";
  }

  Result<std::string> Records(simdjson::dom::element json) const {
    std::size_t at = std::stoul(std::string(json["ShardIterator"].get_string().value()));
    std::uint64_t limit = json["Limit"].get_uint64().value();
    std::string page;
    for (; at < records.size() && limit > 0; ++at, --limit) {
      page += (page.empty() ? "" : ",") + (R"({"name":")" + records[at] + R"(","dynamodb":{"SequenceNumber":")") +
              std::to_string(100 + at) + "\"}}";
    }
    return R"({"Records":[)" + page + R"(],"NextShardIterator":")" + std::to_string(at) + "\"}";
  }
};

class FollowerTest : public testing::Test {
 protected:
  // The names that a poll hands on.
  static std::vector<std::string> Poll(StreamFollower& follower) {
    std::vector<std::string> names;
    const auto read = follower.Poll([&](const ChangeBatch& batch) {
      for (const std::string_view record : batch.records) {
        simdjson::dom::parser parser;
        names.emplace_back(parser.parse(record.data(), record.size())["name"].get_string().value());
      }
      return true;
    });
    EXPECT_TRUE(read) << read.error().message;
    return names;
  }

  static void Refuse(StreamFollower& follower) {
    EXPECT_EQ(follower.Poll([](const ChangeBatch&) { return false; }), 0U);
  }

  FakeStream stream_;
};

constexpr auto kNow = StreamFollower::From::kNow;

TEST_F(FollowerTest, BeginsWithWhatComes) {
  stream_.records = {"before"};
  StreamFollower follower(stream_.Call(), "t", kNow);
  EXPECT_THAT(Poll(follower), IsEmpty());
  stream_.records.insert(stream_.records.end(), {"a", "b"});
  EXPECT_THAT(Poll(follower), ElementsAre("a", "b"));
  EXPECT_THAT(Poll(follower), IsEmpty());
}

TEST_F(FollowerTest, HandsOnAgainWhatWasRefusedFirst) {
  StreamFollower follower(stream_.Call(), "t", kNow);
  EXPECT_THAT(Poll(follower), IsEmpty());
  stream_.records = {"a"};
  Refuse(follower);
  StreamFollower next(stream_.Call(), "t", kNow);
  ASSERT_TRUE(next.Resume(follower.Checkpoint()));
  stream_.records.emplace_back("b");
  EXPECT_THAT(Poll(follower), ElementsAre("a", "b"));
  EXPECT_THAT(Poll(next), ElementsAre("a", "b"));
}

TEST_F(FollowerTest, LosesNothingWhileTheServerIsAway) {
  StreamFollower follower(stream_.Call(), "t", kNow);
  EXPECT_THAT(Poll(follower), IsEmpty());
  stream_.failure = Error{ErrorCode::kServiceUnavailable, "away", std::nullopt, {}};
  EXPECT_FALSE(follower.Poll([](const ChangeBatch&) { return true; }));
  stream_.failure.reset();
  stream_.records = {"a"};
  EXPECT_THAT(Poll(follower), ElementsAre("a"));
}

TEST_F(FollowerTest, HoldsItsPlace) {
  stream_.records = {"before"};
  StreamFollower follower(stream_.Call(), "t", kNow);
  ASSERT_TRUE(follower.Hold());
  stream_.records.insert(stream_.records.end(), {"a", "b"});
  ASSERT_TRUE(follower.Hold());
  stream_.records.emplace_back("c");
  ASSERT_TRUE(follower.Hold());
  StreamFollower next(stream_.Call(), "t", kNow);
  ASSERT_TRUE(next.Resume(follower.Checkpoint()));
  EXPECT_THAT(Poll(follower), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Poll(next), ElementsAre("a", "b", "c"));
}

// Rather what is old once more than something new never.
TEST_F(FollowerTest, GoesOnWithTheOldestWhereItsPlaceWasForgotten) {
  stream_.records = {"before"};
  StreamFollower follower(stream_.Call(), "t", kNow);
  ASSERT_TRUE(follower.Hold());
  StreamFollower next(stream_.Call(), "t", kNow);
  ASSERT_TRUE(next.Resume(follower.Checkpoint()));
  stream_.records.emplace_back("a");
  EXPECT_THAT(Poll(next), ElementsAre("before", "a"));
  stream_.iterators_expire = true;
  ASSERT_TRUE(follower.Hold());
  EXPECT_THAT(Poll(follower), ElementsAre("before", "a"));
}

TEST_F(FollowerTest, KnowsATextThatIsNoCheckpoint) {
  StreamFollower follower(stream_.Call(), "t", kNow);
  for (const char* const text : {"", "{}", R"({"table":"u","stream":"x","shards":[]})", R"({"table":"t"})"}) {
    EXPECT_FALSE(follower.Resume(text)) << text;
  }
}

}  // namespace
}  // namespace taula::client
