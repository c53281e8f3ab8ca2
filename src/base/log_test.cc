#include "base/log.h"

#include <gtest/gtest.h>

namespace taula::base {
namespace {

constexpr std::int64_t kTime = 1'794'780'563'007;

TEST(Log, WritesTextWithTimeAndLevel) {
  EXPECT_EQ(FormatLogLine(LogFormat::kText, LogLevel::kInfo, kTime, "hello"), "2026-11-15T22:09:23.007Z info    hello");
}

TEST(Log, WritesJson) {
  EXPECT_EQ(FormatLogLine(LogFormat::kJson, LogLevel::kError, kTime, "disk \"full\"\\\t"),
            R"({"time":"2026-11-15T22:09:23.007Z","level":"error","message":"disk \"full\"\\\u0009"})");
}

TEST(Log, NeverLetsAMessageStartALine) {
  EXPECT_EQ(FormatLogLine(LogFormat::kText, LogLevel::kInfo, 0, "a\nb\r"),
            "1970-01-01T00:00:00.000Z info    a\\nb\\u000d");
}

TEST(Log, KnowsItsLevelsByName) {
  for (const auto level : {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarning, LogLevel::kError, LogLevel::kOff}) {
    EXPECT_EQ(ParseLogLevel(LogLevelName(level)), level);
  }
  EXPECT_EQ(ParseLogLevel("loud"), std::nullopt);
}

TEST(Log, HidesWhatIsBelowItsLevel) {
  StartLog(LogLevel::kWarning, LogFormat::kText);
  EXPECT_FALSE(LogEnabled(LogLevel::kInfo));
  EXPECT_TRUE(LogEnabled(LogLevel::kError));
  StartLog(LogLevel::kOff, LogFormat::kText);
  EXPECT_FALSE(LogEnabled(LogLevel::kError));
  EXPECT_FALSE(LogEnabled(LogLevel::kOff));
  StartLog(LogLevel::kWarning, LogFormat::kText);
}

TEST(Log, WritesToStderr) {
  testing::internal::CaptureStderr();
  Log(LogLevel::kError, "{} and {}", 1, "two");
  Log(LogLevel::kDebug, "unseen");
  const std::string written = testing::internal::GetCapturedStderr();
  EXPECT_NE(written.find("error   1 and two\n"), std::string::npos) << written;
  EXPECT_EQ(written.find("unseen"), std::string::npos);
}

}  // namespace
}  // namespace taula::base
