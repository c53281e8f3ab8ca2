#include "base/random_id.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

namespace taula::base {
namespace {

TEST(RequestId, HasAmazonsForm) {
  const std::string id = RequestId();
  EXPECT_EQ(id.size(), 52U);
  EXPECT_EQ(id.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"), std::string::npos) << id;
}

TEST(RequestId, DoesNotRepeat) {
  std::set<std::string> ids;
  for (int i = 0; i < 10'000; ++i) ids.insert(RequestId());
  EXPECT_EQ(ids.size(), 10'000U);
}

TEST(RequestId, DiffersBetweenThreads) {
  std::vector<std::string> ids(8);
  {
    std::vector<std::jthread> threads;
    for (auto& id : ids) threads.emplace_back([&id] { id = RequestId(); });
  }
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
}

TEST(UuidV4, HasVersionAndVariant) {
  std::set<std::string> uuids;
  for (int i = 0; i < 1000; ++i) {
    const std::string uuid = UuidV4();
    EXPECT_THAT(uuid, testing::MatchesRegex("[0-9a-f]+-[0-9a-f]+-4[0-9a-f]+-[89ab][0-9a-f]+-[0-9a-f]+"));
    EXPECT_EQ(uuid.size(), 36U);
    EXPECT_EQ(uuid[8], '-');
    EXPECT_EQ(uuid[13], '-');
    EXPECT_EQ(uuid[18], '-');
    EXPECT_EQ(uuid[23], '-');
    uuids.insert(uuid);
  }
  EXPECT_EQ(uuids.size(), 1000U);
}

TEST(IsUuid, TakesAnyVersionInEitherCase) {
  EXPECT_TRUE(IsUuid(UuidV4()));
  EXPECT_TRUE(IsUuid("9C5B94B1-35AD-19BB-B118-8E8FC24ABF80"));
  EXPECT_FALSE(IsUuid(""));
  EXPECT_FALSE(IsUuid("9c5b94b135ad49bbb1188e8fc24abf80"));
  EXPECT_FALSE(IsUuid("9c5b94b1-35ad-49bb-b118-8e8fc24abf8"));
  EXPECT_FALSE(IsUuid("9c5b94b1-35ad-49bb-b118-8e8fc24abf8g"));
  EXPECT_FALSE(IsUuid("9c5b94b1-35ad-49bb-b118a8e8fc24abf80"));
  EXPECT_FALSE(IsUuid("{c5b94b1-35ad-49bb-b118-8e8fc24abf80"));
}

TEST(Random64, UsesAllBits) {
  std::uint64_t ones = 0;
  std::uint64_t zeros = 0;
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t bits = Random64();
    ones |= bits;
    zeros |= ~bits;
  }
  EXPECT_EQ(~ones, 0U);
  EXPECT_EQ(~zeros, 0U);
}

}  // namespace
}  // namespace taula::base
