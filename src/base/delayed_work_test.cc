#include "base/delayed_work.h"

#include <gtest/gtest.h>

#include <future>
#include <string>

namespace taula::base {
namespace {

using std::chrono::milliseconds;

TEST(DelayedWork, IsDoneInTheOrderOfItsTimeAndNotBefore) {
  DelayedWork delayed;
  std::string order;
  std::promise<void> last;
  const auto begin = DelayedWork::Clock::now();
  delayed.Do(milliseconds(60), [&] {
    order += 'b';
    last.set_value();
  });
  delayed.Do(milliseconds(20), [&] { order += 'a'; });
  last.get_future().wait();
  EXPECT_GE(DelayedWork::Clock::now() - begin, milliseconds(60));
  EXPECT_EQ(order, "ab");
}

TEST(DelayedWork, IsDoneAtOnceAtTheEnd) {
  int done = 0;
  const auto begin = DelayedWork::Clock::now();
  {
    DelayedWork delayed;
    for (int i = 0; i < 10; ++i) delayed.Do(std::chrono::hours(1), [&] { ++done; });
  }
  EXPECT_EQ(done, 10);
  EXPECT_LT(DelayedWork::Clock::now() - begin, std::chrono::minutes(1));
}

TEST(DelayedWork, ThatComesAfterTheEndIsDoneAtOnce) {
  DelayedWork delayed;
  delayed.Finish();
  bool done = false;
  delayed.Do(std::chrono::hours(1), [&] { done = true; });
  EXPECT_TRUE(done);
}

TEST(DelayedWork, MayBeGivenMoreFromWithin) {
  std::promise<void> last;
  DelayedWork delayed;
  delayed.Do(milliseconds(1), [&] { delayed.Do(milliseconds(1), [&] { last.set_value(); }); });
  last.get_future().wait();
}

}  // namespace
}  // namespace taula::base
