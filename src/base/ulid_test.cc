#include "base/ulid.h"

#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace taula::base {
namespace {

// The example of the ULID specification.
constexpr std::int64_t kTime = 1'469'922'850'259;

TEST(Ulid, BeginsWithItsTime) {
  EXPECT_EQ(Ulid(kTime).substr(0, 10), "01ARZ3NDEK");
  EXPECT_EQ(Ulid(0).substr(0, 10), "0000000000");
  EXPECT_EQ(Ulid((std::int64_t{1} << 48) - 1).substr(0, 10), "7ZZZZZZZZZ");
}

TEST(Ulid, KeepsToTheTimesThatItCanWrite) {
  EXPECT_EQ(Ulid(-5).substr(0, 10), "0000000000");
  EXPECT_EQ(Ulid(INT64_MAX).substr(0, 10), "7ZZZZZZZZZ");
}

TEST(Ulid, GrowsWithinAMillisecond) {
  std::string last = Ulid(kTime);
  for (int i = 0; i < 10'000; ++i) {
    std::string next = Ulid(kTime);
    ASSERT_GT(next, last);
    ASSERT_EQ(next.substr(0, 10), "01ARZ3NDEK");
    last = std::move(next);
  }
}

TEST(Ulid, GrowsWithTime) { EXPECT_LT(Ulid(kTime), Ulid(kTime + 1)); }

TEST(Ulid, NeverRepeatsAmongThreads) {
  std::mutex mutex;
  std::set<std::string> all;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      std::vector<std::string> mine;
      for (int i = 0; i < 1'000; ++i) mine.push_back(Ulid(kTime + i / 100));
      const std::lock_guard lock(mutex);
      all.insert(mine.begin(), mine.end());
    });
  }
  threads.clear();
  EXPECT_EQ(all.size(), 4'000U);
}

TEST(IsUlid, TakesWhatUlidMakes) {
  EXPECT_TRUE(IsUlid(Ulid(kTime)));
  EXPECT_TRUE(IsUlid("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
  EXPECT_TRUE(IsUlid("7ZZZZZZZZZZZZZZZZZZZZZZZZZ"));
}

TEST(IsUlid, RefusesOtherText) {
  EXPECT_FALSE(IsUlid(""));
  EXPECT_FALSE(IsUlid("01ARZ3NDEKTSV4RRFFQ69G5FA"));
  EXPECT_FALSE(IsUlid("01ARZ3NDEKTSV4RRFFQ69G5FAVX"));
  EXPECT_FALSE(IsUlid("01ARZ3NDEKTSV4RRFFQ69G5FAU")) << "U is not in the alphabet";
  EXPECT_FALSE(IsUlid("01ARZ3NDEKTSV4RRFFQ69G5FAI"));
  EXPECT_FALSE(IsUlid("01arz3ndektsv4rrffq69g5fav")) << "lower case sorts elsewhere";
  EXPECT_FALSE(IsUlid("81ARZ3NDEKTSV4RRFFQ69G5FAV")) << "more than 128 bits";
}

}  // namespace
}  // namespace taula::base
