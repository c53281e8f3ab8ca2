#include "server/crc32.h"

#include <gtest/gtest.h>

namespace taula::server {
namespace {

TEST(Crc32, IsZlibs) {
  EXPECT_EQ(Crc32(""), 0U);
  EXPECT_EQ(Crc32("123456789"), 0xcbf43926U);
}

TEST(Crc32, MatchesWhatAmazonSends) {
  EXPECT_EQ(Crc32("healthy: dynamodb.us-east-1.amazonaws.com "), 3128867991U);
  EXPECT_EQ(Crc32("<UnknownOperationException/>\n"), 3552371480U);
}

}  // namespace
}  // namespace taula::server
