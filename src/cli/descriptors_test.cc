#include "cli/descriptors.h"

#include <gtest/gtest.h>

#include <limits>

namespace taula::cli {
namespace {

constexpr std::size_t kMost = 10'000;

TEST(Descriptors, AreEnoughForAllConnectionsMostly) {
  EXPECT_EQ(ConnectionsWithin(524'288, kMost), kMost);
  EXPECT_EQ(ConnectionsWithin(kMost + 1024, kMost), kMost);
  EXPECT_EQ(ConnectionsWithin(std::numeric_limits<std::uint64_t>::max(), kMost), kMost);
}

TEST(Descriptors, AreLeftForFilesWhereThereAreFewer) {
  EXPECT_EQ(ConnectionsWithin(4096, kMost), 3072U);
  EXPECT_EQ(ConnectionsWithin(2048, kMost), 1024U);
}

TEST(Descriptors, AreSharedEvenlyWhereThereAreFew) {
  EXPECT_EQ(ConnectionsWithin(1024, kMost), 512U);
  EXPECT_EQ(ConnectionsWithin(64, kMost), 32U);
  EXPECT_EQ(ConnectionsWithin(1, kMost), 1U);
  EXPECT_EQ(ConnectionsWithin(0, kMost), 1U);
}

}  // namespace
}  // namespace taula::cli
