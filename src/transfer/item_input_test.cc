#include "transfer/item_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "buckets/testing.h"

namespace taula::transfer {
namespace {

using ::testing::ElementsAre;

class ItemInputTest : public ::testing::Test {
 protected:
  // "line: item" or "line: why not", for each.
  std::vector<std::string> Read(const std::string& name, const std::string& content, std::uint64_t position = 0,
                                std::optional<Format> format = std::nullopt) {
    folder_.Put(name, content);
    auto input = ItemInput::Open(folder_.path(name).string(), format, {});
    EXPECT_TRUE(input) << input.error().message;
    std::vector<std::string> read;
    if (auto skipped = input->SkipTo(position); !skipped) return {skipped.error().message};
    while (true) {
      auto next = input->Read();
      if (!next) {
        read.push_back("failed");
        return read;
      }
      if (std::holds_alternative<std::monostate>(*next)) return read;
      std::string text = std::to_string(input->line()) + ": ";
      if (const auto* bad = std::get_if<BadLine>(&*next)) {
        text += bad->why;
      } else {
        codec::AppendPlainItem(text, std::get<Item>(*next).attributes());
      }
      read.push_back(text);
      positions_.push_back(input->position());
    }
  }

  buckets::BucketFolder folder_;
  std::vector<std::uint64_t> positions_;
};

TEST_F(ItemInputTest, ReadsPlainJson) {
  EXPECT_THAT(Read("a.ndjson", "{\"a\":1}\n\n{\"a\":{\"$set\":[\"x\"]}}\r\n{\"a\":3}"),
              ElementsAre("1: {\"a\":1}", "3: {\"a\":{\"$set\":[\"x\"]}}", "4: {\"a\":3}"));
}

TEST_F(ItemInputTest, FindsOutWhatTheFirstLineIs) {
  const std::string line = R"({"Item":{"a":{"N":"1"}}})";
  EXPECT_THAT(Read("a.json", line), ElementsAre("1: {\"a\":1}"));
  EXPECT_THAT(Read("a.ndjson", line), ElementsAre("1: {\"a\":1}"));
  EXPECT_THAT(Read("b.json", line, 0, Format::kNdjson), ElementsAre(R"(1: {"Item":{"a":{"N":"1"}}})"));
  EXPECT_THAT(Read("c.json", R"({"a":{"Item":1}})"), ElementsAre(R"(1: {"a":{"Item":1}})"));
}

TEST_F(ItemInputTest, GoesOnBehindABadLine) {
  EXPECT_THAT(Read("a.ndjson", "{\"a\":1}\nnonsense\n{\"a\":2}\n"),
              ElementsAre("1: {\"a\":1}", "2: is not a JSON object", "3: {\"a\":2}"));
  EXPECT_THAT(Read("b.json", "{\"Item\":{\"a\":{\"N\":\"1\"}}}\n{\"a\":1}\n"),
              ElementsAre("1: {\"a\":1}", "2: is not {\"Item\":{…}}"));
  EXPECT_THAT(Read("c.json", "[{\"a\":1}]"),
              ElementsAre("1: is not a JSON object; items stand one a line, not in an array (jq -c '.[]' makes lines "
                          "of one)"));
}

TEST_F(ItemInputTest, CountsTheLinesOfCsv) {
  EXPECT_THAT(Read("a.csv", "\xef\xbb\xbfpk,t\r\na,\"one\r\ntwo\n\"\r\n\r\nb,3\r\nc\r\n"),
              ElementsAre("2: {\"pk\":\"a\",\"t\":\"one\\r\\ntwo\\n\"}", "6: {\"pk\":\"b\",\"t\":3}",
                          "7: the record has 1 fields, the header 2"));
}

TEST_F(ItemInputTest, RefusesHeadersThatNameNothing) {
  EXPECT_THAT(Read("a.csv", "a,a\n1,2\n"), ElementsAre("failed"));
  EXPECT_THAT(Read("b.csv", "a,\n1,2\n"), ElementsAre("failed"));
}

TEST_F(ItemInputTest, GoesOnWhereSomebodyWas) {
  const std::string csv = "pk,n\r\na,1\r\n\"b\nb\",2\r\nc,3\r\n";
  const std::string json = "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n";
  for (const auto& [name, content] : {std::pair("x.csv", csv), std::pair("x.csv.gz", buckets::Gzip(csv)),
                                      std::pair("y.ndjson", json), std::pair("y.ndjson.zst", buckets::Zstd(json))}) {
    positions_.clear();
    const auto all = Read(name, content);
    ASSERT_EQ(all.size(), 3U);
    const auto places = positions_;
    EXPECT_THAT(Read(name, content, places[0]), ElementsAre(all[1], all[2])) << name;
    EXPECT_THAT(Read(name, content, places[1]), ElementsAre(all[2])) << name;
    EXPECT_THAT(Read(name, content, places[2]), ElementsAre()) << name;
  }
}

TEST_F(ItemInputTest, SaysWhenAFileIsNotTheSameAnyMore) {
  EXPECT_THAT(Read("a.ndjson", "{\"a\":1}\n", 100), ElementsAre(testing::HasSubstr("a.ndjson is shorter than it was")));
}

}  // namespace
}  // namespace taula::transfer
