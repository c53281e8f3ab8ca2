#include "transfer/progress.h"

#include <gtest/gtest.h>

namespace taula::transfer {
namespace {

TEST(Progress, WritesAmountsAsPeopleReadThem) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1234567), "1,234,567");
  EXPECT_EQ(BytesText(999), "999 bytes");
  EXPECT_EQ(BytesText(12'345), "12.3 KB");
  EXPECT_EQ(BytesText(5'000'000'000), "5.0 GB");
  EXPECT_EQ(DurationText(0.25), "0.2 s");
  EXPECT_EQ(DurationText(59.4), "59 s");
  EXPECT_EQ(DurationText(200), "3 min 20 s");
  EXPECT_EQ(DurationText(7500), "2 h 5 min");
}

TEST(Progress, ShowsHowFarItIs) {
  EXPECT_EQ(ProgressLine({90'000, 12'300'000, 0.45}, {}, 2),
            " 45 % [#########-----------] 90,000 items  12.3 MB  45,000 items/s  2 s left");
  EXPECT_EQ(ProgressLine({100, 1'000, 1.7}, {}, 2),
            "100 % [####################] 100 items  1.0 KB  50 items/s  0.0 s left");
}

TEST(Progress, ShowsNoPartWhereNoneIsKnown) {
  EXPECT_EQ(ProgressLine({100, 1'000, {}}, {}, 2), "100 items  1.0 KB  50 items/s");
}

TEST(Progress, OfWhatGoesOnCountsWhatIsNew) {
  const Amount at_start{50'000, 5'000'000, 0.5};
  EXPECT_EQ(ProgressLine({75'000, 7'500'000, 0.75}, at_start, 10),
            " 75 % [###############-----] 75,000 items  7.5 MB  2,500 items/s  10 s left");
  EXPECT_EQ(SummaryText({100'000, 10'000'000, 1.0}, at_start, 20), "100,000 items, 10.0 MB, in 20 s (2,500 items/s)");
}

}  // namespace
}  // namespace taula::transfer
