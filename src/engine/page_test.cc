#include "engine/page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "codec/key_codec.h"
#include "engine/test_fixture.h"

namespace taula::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PageTest : public TableTest {
 protected:
  struct Page {
    std::vector<Item> items;
    PageEnd end;
  };

  Page Read(const PageRequest& request) {
    Page page;
    Result<PageEnd> end =
        ReadPage(*store_, nullptr, request, [&page](ValueView item) { page.items.emplace_back(item); });
    EXPECT_TRUE(end) << end.error().message;
    page.end = *std::move(end);
    return page;
  }

  // The partition "u" of the table.
  PageRequest Partition() {
    codec::KeyBuilder key(table_->space);
    const Value partition("u");
    key.Partition(partition.view());
    key.EndPartition();
    PageRequest request;
    request.table = table_;
    request.range = {key.key(), codec::PrefixEnd(key.key())};
    return request;
  }

  static std::vector<std::string> SortKeys(const std::vector<Item>& items) {
    std::vector<std::string> keys;
    for (const Item& item : items) keys.emplace_back(item.Find("SK")->bytes());
    return keys;
  }

  void Load(int count, std::size_t padding = 0) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(Write(Put({{"PK", "u"},
                             {"SK", fmt::format("{:03}", i)},
                             {"grade", 100 - i},
                             {"n", i},
                             {"x", std::string(padding, 'x')}})));
    }
    ASSERT_TRUE(Write(Put({{"PK", "v"}, {"SK", "other"}})));
  }
};

TEST_F(PageTest, ReadsAPartitionInOrderAndAgainstIt) {
  Load(3);
  PageRequest request = Partition();
  EXPECT_THAT(SortKeys(Read(request).items), ElementsAre("000", "001", "002"));
  request.reverse = true;
  const Page page = Read(request);
  EXPECT_THAT(SortKeys(page.items), ElementsAre("002", "001", "000"));
  EXPECT_FALSE(page.end.last_key);
}

TEST_F(PageTest, LimitEndsThePageWithAKeyEvenAtTheLastItem) {
  Load(3);
  PageRequest request = Partition();
  request.limit = 3;
  const Page page = Read(request);
  EXPECT_EQ(page.end.last_key, (Item{{"PK", "u"}, {"SK", "002"}}));
  request.start_after = &*page.end.last_key;
  const Page rest = Read(request);
  EXPECT_THAT(rest.items, IsEmpty());
  EXPECT_FALSE(rest.end.last_key);
}

TEST_F(PageTest, PagesFollowEachOtherInBothDirections) {
  Load(10);
  for (const bool reverse : {false, true}) {
    PageRequest request = Partition();
    request.reverse = reverse;
    request.limit = 3;
    std::vector<std::string> seen;
    std::optional<Item> last;
    do {
      request.start_after = last ? &*last : nullptr;
      Page page = Read(request);
      for (std::string& key : SortKeys(page.items)) seen.push_back(std::move(key));
      last = std::move(page.end.last_key);
    } while (last);
    ASSERT_EQ(seen.size(), 10u);
    EXPECT_EQ(seen.front(), reverse ? "009" : "000");
    EXPECT_TRUE(reverse ? std::ranges::is_sorted(seen, std::greater<>()) : std::ranges::is_sorted(seen));
  }
}

TEST_F(PageTest, AFilterIsAppliedAfterTheLimit) {
  Load(10);
  PageRequest request = Partition();
  request.limit = 5;
  const expression::Condition filter = ConditionOf("n >= :n", {{":n", 4}});
  request.filter = &filter;
  const Page page = Read(request);
  EXPECT_EQ(page.end.count, 1);
  EXPECT_EQ(page.end.scanned_count, 5);
}

TEST_F(PageTest, AMegabyteEndsThePage) {
  Load(20, 100'000);
  const Page page = Read(Partition());
  EXPECT_EQ(page.items.size(), 11u) << "the item that crosses the limit is still in the page";
  EXPECT_TRUE(page.end.last_key);
}

TEST_F(PageTest, ReadUnitsAreOfTheSumOfWhatWasLookedAt) {
  Load(4, 3000);
  PageRequest request = Partition();
  const expression::Condition filter = ConditionOf("n = :n", {{":n", 0}});
  request.filter = &filter;
  EXPECT_EQ(Read(request).end.capacity.table.read_units, 1.5) << "four of 3 KB are three units, halved";
  request.consistent_read = true;
  EXPECT_EQ(Read(request).end.capacity.table.read_units, 3);
}

TEST_F(PageTest, NothingFoundCostsTheMinimum) { EXPECT_EQ(Read(Partition()).end.capacity.table.read_units, 0.5); }

TEST_F(PageTest, AnIndexHasItsOwnOrderAndItsOwnKeys) {
  Load(3);
  const catalog::Index* by_grade = table_->FindIndex("byGrade");
  PageRequest request;
  request.table = table_;
  request.index = by_grade;
  request.range = codec::SpaceRange(by_grade->space);
  request.limit = 2;
  const Page page = Read(request);
  EXPECT_THAT(SortKeys(page.items), ElementsAre("002", "001")) << "by grade, which falls as the sort key rises";
  EXPECT_EQ(page.end.last_key, (Item{{"PK", "u"}, {"SK", "001"}, {"grade", 99}}));
  EXPECT_EQ(page.end.capacity.table.read_units, 0);
  EXPECT_EQ(page.end.capacity.local_indexes.at("byGrade").read_units, 0.5);
  request.start_after = &*page.end.last_key;
  EXPECT_THAT(SortKeys(Read(request).items), ElementsAre("000"));
}

TEST_F(PageTest, FetchingGivesTheWholeItemAndChargesTheTable) {
  Load(2);
  const catalog::Index* by_grade = table_->FindIndex("byGrade");
  PageRequest request;
  request.table = table_;
  request.index = by_grade;
  request.range = codec::SpaceRange(by_grade->space);
  request.fetch_from_table = true;
  const Page page = Read(request);
  ASSERT_EQ(page.items.size(), 2u);
  EXPECT_TRUE(page.items[0].Find("n"));
  EXPECT_EQ(page.end.capacity.table.read_units, 1);
}

TEST_F(PageTest, FetchedItemsEndThePageAtAMegabyteToo) {
  Load(20, 100'000);
  const catalog::Index* by_grade = table_->FindIndex("byGrade");
  PageRequest request;
  request.table = table_;
  request.index = by_grade;
  request.range = codec::SpaceRange(by_grade->space);
  request.fetch_from_table = true;
  const Page page = Read(request);
  EXPECT_EQ(page.items.size(), 11u);
  EXPECT_TRUE(page.end.last_key);
}

}  // namespace
}  // namespace taula::engine
