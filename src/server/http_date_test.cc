#include "server/http_date.h"

#include <gtest/gtest.h>

namespace taula::server {
namespace {

TEST(HttpDate, HasTheFormOfTheStandard) {
  EXPECT_EQ(HttpDate(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(HttpDate(784'111'777), "Sun, 06 Nov 1994 08:49:37 GMT");
}

TEST(HttpDate, IsOfNow) {
  HttpDateClock clock;
  const std::time_t before = std::time(nullptr);
  const std::string now(clock.Now());
  EXPECT_TRUE(now == HttpDate(before) || now == HttpDate(before - 1) || now == HttpDate(before + 1)) << now;
}

}  // namespace
}  // namespace taula::server
