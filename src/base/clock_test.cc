#include "base/clock.h"

#include <gtest/gtest.h>

namespace taula::base {
namespace {

TEST(IsoTimestamp, KeepsMilliseconds) {
  EXPECT_EQ(IsoTimestamp(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(IsoTimestamp(1'794'780'563'007), "2026-11-15T22:09:23.007Z");
}

TEST(IsoTimestamp, KnowsLeapDays) { EXPECT_EQ(IsoTimestamp(1'709'164'800'000), "2024-02-29T00:00:00.000Z"); }

TEST(IsoTimestamp, RoundsTimesBefore1970Down) { EXPECT_EQ(IsoTimestamp(-1), "1969-12-31T23:59:59.999Z"); }

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
