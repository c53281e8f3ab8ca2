#include "transfer/table_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "transfer/fake_table.h"

namespace taula::transfer {
namespace {

const client::Patience kQuick = {.wait_ms_first = 1, .wait_ms_max = 4, .give_up_ms = 100};

class ScanTest : public testing::Test {
 protected:
  ScanTest() {
    for (int k = 0; k < 100; ++k) table_.items[FakeTable::KeyOfNumber(k)] = FakeTable::ItemOf(k, "x");
  }

  TableScan Scan(std::size_t segments = 4) {
    return {table_.Call(), {.table = "t", .segments = segments, .calls_in_flight = 3, .patience = kQuick}};
  }

  // Notes the items, each of which may come only once.
  TableScan::Visit Note() {
    return [this](const ScanPage& page) -> Result<void> {
      const std::lock_guard lock(mutex_);
      for (const std::string_view item : page.items) {
        EXPECT_TRUE(seen_.emplace(item).second) << item << " came twice";
        if (seen_.size() == fail_after_) return Fail(ErrorCode::kInternalServerError, "the visitor");
      }
      return {};
    };
  }

  FakeTable table_;
  std::mutex mutex_;
  std::set<std::string> seen_;
  std::size_t fail_after_ = 0;
};

TEST_F(ScanTest, ShowsEachItemOnce) {
  for (const std::size_t segments : {1, 2, 7, 200}) {
    seen_.clear();
    TableScan scan = Scan(segments);
    EXPECT_FALSE(scan.done());
    ASSERT_TRUE(scan.Run(Note()));
    EXPECT_EQ(seen_.size(), 100U);
    EXPECT_EQ(scan.items(), 100U);
    EXPECT_TRUE(scan.done());
  }
}

TEST_F(ScanTest, GoesOnWhereAnotherOneWas) {
  std::string positions;
  {
    TableScan scan = Scan(1);
    int pages = 0;
    const auto read = scan.Run([&](const ScanPage& page) -> Result<void> {
      if (++pages == 5) return Fail(ErrorCode::kInternalServerError, "enough");
      return Note()(page);
    });
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message, "enough");
    EXPECT_EQ(seen_.size(), 12U);
    positions = scan.Positions();
  }
  TableScan scan = Scan(8);
  ASSERT_TRUE(scan.Resume(positions));
  EXPECT_EQ(scan.segments(), 1U) << "as many as the scan before had";
  EXPECT_EQ(scan.items(), 12U);
  ASSERT_TRUE(scan.Run(Note()));
  EXPECT_EQ(seen_.size(), 100U);
  EXPECT_EQ(scan.items(), 100U);

  TableScan none_left = Scan();
  ASSERT_TRUE(none_left.Resume(scan.Positions()));
  EXPECT_TRUE(none_left.done());
  const int calls = table_.calls();
  ASSERT_TRUE(none_left.Run(Note()));
  EXPECT_EQ(table_.calls(), calls);
}

TEST_F(ScanTest, ReadsAPageAgainThatWasThrottled) {
  int failures = 20;
  table_.failure = [&](std::string_view, const std::string&) -> std::optional<Error> {
    if (failures == 0 || --failures % 2 == 0) return std::nullopt;
    return Error{ErrorCode::kProvisionedThroughputExceededException, "slowly", std::nullopt, {}};
  };
  TableScan scan = Scan();
  ASSERT_TRUE(scan.Run(Note()));
  EXPECT_EQ(seen_.size(), 100U);
}

TEST_F(ScanTest, EndsWithTheServersError) {
  table_.failure = [](std::string_view, const std::string&) {
    return Error{ErrorCode::kResourceNotFoundException, "no table", std::nullopt, {}};
  };
  TableScan scan = Scan();
  const auto read = scan.Run(Note());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "no table");
}

TEST_F(ScanTest, EndsWhenAskedTo) {
  std::stop_source stop;
  client::Patience patience = kQuick;
  patience.stop = stop.get_token();
  TableScan scan(table_.Call(), {.table = "t", .segments = 1, .patience = patience});
  const auto read = scan.Run([&](const ScanPage& page) {
    stop.request_stop();
    return Note()(page);
  });
  ASSERT_FALSE(read);
  EXPECT_EQ(seen_.size(), 3U);
}

TEST_F(ScanTest, KnowsATextThatIsNoPosition) {
  for (const char* const text : {"", "{}", R"({"items":1})", R"({"items":1,"segments":[]})", R"({"segments":[{}]})"}) {
    EXPECT_FALSE(Scan().Resume(text)) << text;
  }
}

}  // namespace
}  // namespace taula::transfer
