#include "base/clock.h"

#include <gtest/gtest.h>

namespace taula::base {
namespace {

TEST(ManualClock, MovesOnlyWhenTold) {
  ManualClock clock(5);
  EXPECT_EQ(clock.NowMs(), 5);
  clock.Advance(10);
  EXPECT_EQ(clock.NowMs(), 15);
  clock.Set(3);
  EXPECT_EQ(clock.NowMs(), 3);
}

TEST(SystemClock, IsInThisCentury) {
  EXPECT_GT(Clock::System().NowMs(), 1'700'000'000'000);
  EXPECT_LT(Clock::System().NowMs(), 4'102'444'800'000);
}

}  // namespace
}  // namespace taula::base
