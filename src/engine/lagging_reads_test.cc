#include "engine/lagging_reads.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/engine_testing.h"

namespace taula::engine {
namespace {

using std::chrono::milliseconds;

class LaggingReadsTest : public EngineTest {
 protected:
  LaggingReadsTest() { CreateTable(); }

  std::string Status(Consistency consistency) {
    std::string status;
    EXPECT_TRUE(engine_->Get(*engine_->FindTable(kTable), Item{{"PK", Value("a")}, {"SK", Value("1")}}, consistency,
                             [&](const StoredItem& found) { status = found.item.Find("status")->bytes(); }));
    return status;
  }

  std::size_t InIndex(std::string_view status) {
    PageRequest request;
    request.table = engine_->FindTable(kTable);
    request.index = request.table->FindIndex("byStatus");
    request.range = codec::SpaceRange(request.index->space);
    std::size_t found = 0;
    EXPECT_TRUE(engine_->ReadPage(request, [&](ValueView item) { found += item.Find("status")->bytes() == status; }));
    return found;
  }

  static Item Order(std::string_view status) {
    return {{"PK", Value("a")}, {"SK", Value("1")}, {"status", Value(status)}};
  }

  template <typename Condition>
  static bool Eventually(Condition condition) {
    for (int tries = 0; tries < 500; ++tries) {
      if (condition()) return true;
      std::this_thread::sleep_for(milliseconds(10));
    }
    return false;
  }
};

TEST_F(LaggingReadsTest, IndexesShowTheTableAsItWas) {
  Put(Order("new"));
  engine_->SetLag(Lag{.indexes = milliseconds(400)});
  Put(Order("paid"));
  EXPECT_EQ(InIndex("new"), 1U);
  EXPECT_EQ(InIndex("paid"), 0U);
  EXPECT_EQ(Status(Consistency::kEventual), "paid");
  EXPECT_TRUE(Eventually([&] { return InIndex("paid") == 1; }));
  EXPECT_EQ(InIndex("new"), 0U);
}

TEST_F(LaggingReadsTest, SomeReadsAreStaleButNoneThatAskForConsistency) {
  Put(Order("new"));
  engine_->SetLag(Lag{.tables = milliseconds(60'000), .table_share = 0.5});
  Put(Order("paid"));
  int stale = 0;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(Status(Consistency::kStrong), "paid");
    stale += Status(Consistency::kEventual) == "new" ? 1 : 0;
  }
  EXPECT_GT(stale, 400);
  EXPECT_LT(stale, 600);
}

TEST_F(LaggingReadsTest, TheSameSeedGivesTheSameReads) {
  Put(Order("new"));
  const auto run = [&] {
    engine_->SetLag(Lag{.tables = milliseconds(60'000), .table_share = 0.3, .seed = 7});
    Put(Order("paid"));
    std::string seen;
    for (int i = 0; i < 100; ++i) seen += Status(Consistency::kEventual) == "new" ? 's' : '.';
    engine_->SetLag(std::nullopt);
    Put(Order("new"));
    return seen;
  };
  const std::string first = run();
  EXPECT_NE(first.find('s'), std::string::npos);
  EXPECT_EQ(first, run());
}

TEST_F(LaggingReadsTest, WithoutALagAllReadsSeeThePresent) {
  engine_->SetLag(Lag{.indexes = milliseconds(60'000), .tables = milliseconds(60'000), .table_share = 1});
  engine_->SetLag(std::nullopt);
  Put(Order("paid"));
  EXPECT_EQ(Status(Consistency::kEventual), "paid");
  EXPECT_EQ(InIndex("paid"), 1U);
}

}  // namespace
}  // namespace taula::engine
