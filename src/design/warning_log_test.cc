#include "design/warning_log.h"

#include <gtest/gtest.h>

namespace taula::design {
namespace {

TEST(WarningLog, WritesALineASecondAndCountsTheOthers) {
  WarningLog log;
  EXPECT_EQ(log.Line("a", 5000), "a");
  EXPECT_EQ(log.Line("b", 5001), std::nullopt);
  EXPECT_EQ(log.Line("c", 5999), std::nullopt);
  EXPECT_EQ(log.Line("d", 6000), "d (and 2 more like it since the last line)");
  EXPECT_EQ(log.Line("e", 9000), "e");
}

}  // namespace
}  // namespace taula::design
