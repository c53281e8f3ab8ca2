#include "base/timestamp.h"

#include <gtest/gtest.h>

#include <chrono>

namespace taula::base {
namespace {

TEST(IsoTimestamp, KeepsMilliseconds) {
  EXPECT_EQ(IsoTimestamp(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(IsoTimestamp(1'794'780'563'007), "2026-11-15T22:09:23.007Z");
}

TEST(IsoTimestamp, KnowsLeapDays) { EXPECT_EQ(IsoTimestamp(1'709'164'800'000), "2024-02-29T00:00:00.000Z"); }

TEST(IsoTimestamp, RoundsTimesBefore1970Down) { EXPECT_EQ(IsoTimestamp(-1), "1969-12-31T23:59:59.999Z"); }

TEST(IsoTimestamp, EndsWithTheYears0And9999) {
  EXPECT_EQ(IsoTimestamp(kIsoMsMin), "0000-01-01T00:00:00.000Z");
  EXPECT_EQ(IsoTimestamp(kIsoMsMin - 1), "0000-01-01T00:00:00.000Z");
  EXPECT_EQ(IsoTimestamp(kIsoMsMax), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(IsoTimestamp(INT64_MAX), "9999-12-31T23:59:59.999Z");
}

TEST(MillisecondsOf, TakesAnyNumberOfSeconds) {
  EXPECT_EQ(MillisecondsOf(1.25), 1250);
  EXPECT_EQ(MillisecondsOf(-0.25), -250);
  EXPECT_EQ(MillisecondsOf(1e300), kIsoMsMax);
  EXPECT_EQ(MillisecondsOf(-1e300), kIsoMsMin);
}

TEST(IsoTimestamp, LeavesMillisecondsOrTheTimeOut) {
  EXPECT_EQ(IsoTimestampSeconds(1'794'780'563'999), "2026-11-15T22:09:23Z");
  EXPECT_EQ(IsoDate(1'794'780'563'999), "2026-11-15");
}

TEST(ParseIsoTimestamp, ReadsWhatIsWritten) {
  for (std::int64_t ms = kIsoMsMin; ms <= kIsoMsMax; ms += 86'399'123'457) {
    ASSERT_EQ(ParseIsoTimestamp(IsoTimestamp(ms)), ms);
    const std::int64_t second = std::chrono::floor<std::chrono::seconds>(std::chrono::milliseconds(ms)).count() * 1000;
    ASSERT_EQ(ParseIsoTimestampSeconds(IsoTimestampSeconds(ms)), second);
  }
  EXPECT_EQ(ParseIsoTimestamp("9999-12-31T23:59:59.999Z"), kIsoMsMax);
  EXPECT_EQ(ParseIsoDate("1970-01-02"), 86'400'000);
}

TEST(ParseIsoTimestamp, RefusesDatesThatDoNotExist) {
  EXPECT_TRUE(ParseIsoDate("2024-02-29"));
  EXPECT_TRUE(ParseIsoDate("2000-02-29"));
  EXPECT_FALSE(ParseIsoDate("2023-02-29"));
  EXPECT_FALSE(ParseIsoDate("1900-02-29"));
  EXPECT_FALSE(ParseIsoDate("2024-04-31"));
  EXPECT_FALSE(ParseIsoDate("2024-13-01"));
  EXPECT_FALSE(ParseIsoDate("2024-00-01"));
  EXPECT_FALSE(ParseIsoDate("2024-01-00"));
  EXPECT_FALSE(ParseIsoTimestamp("2023-02-29T00:00:00.000Z"));
}

TEST(ParseIsoTimestamp, RefusesTimesThatDoNotExist) {
  EXPECT_TRUE(ParseIsoTimestampSeconds("2024-01-01T23:59:59Z"));
  EXPECT_FALSE(ParseIsoTimestampSeconds("2024-01-01T24:00:00Z"));
  EXPECT_FALSE(ParseIsoTimestampSeconds("2024-01-01T00:60:00Z"));
  EXPECT_FALSE(ParseIsoTimestampSeconds("2024-01-01T00:00:60Z"));
}

TEST(ParseIsoTimestamp, TakesOneFormOnly) {
  EXPECT_FALSE(ParseIsoTimestamp(""));
  EXPECT_FALSE(ParseIsoTimestamp("2024-11-02T15:30:00Z"));
  EXPECT_FALSE(ParseIsoTimestamp("2024-11-02T15:30:00.0Z"));
  EXPECT_FALSE(ParseIsoTimestamp("2024-11-02T15:30:00.0000Z"));
  EXPECT_FALSE(ParseIsoTimestamp("2024-11-02T15:30:00.000"));
  EXPECT_FALSE(ParseIsoTimestamp("2024-11-02T15:30:00.000+00:00"));
  EXPECT_FALSE(ParseIsoTimestamp("2024-11-02t15:30:00.000z"));
  EXPECT_FALSE(ParseIsoTimestamp("2024-11-02 15:30:00.000Z"));
  EXPECT_FALSE(ParseIsoTimestamp("2024-11-02T15:30:00.000Z "));
  EXPECT_FALSE(ParseIsoTimestamp("-024-11-02T15:30:00.000Z"));
  EXPECT_FALSE(ParseIsoTimestampSeconds("2024-11-02T15:30:00.000Z"));
  EXPECT_FALSE(ParseIsoTimestampSeconds("2024-11-02"));
  EXPECT_FALSE(ParseIsoDate("2024-11-02T15:30:00Z"));
  EXPECT_FALSE(ParseIsoDate("2024-1-02"));
  EXPECT_FALSE(ParseIsoDate("20241102"));
}

}  // namespace
}  // namespace taula::base
