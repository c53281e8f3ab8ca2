#include "cli/blocking_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <thread>
#include <vector>

namespace taula::cli {
namespace {

TEST(BlockingWorker, DoesEverythingInOrderOnAThreadOfItsOwn) {
  std::vector<int> done;
  std::thread::id thread;
  BlockingWorker worker(10);
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(worker.Do([&, i] {
      thread = std::this_thread::get_id();
      done.push_back(i);
    }));
  }
  worker.Finish();
  EXPECT_THAT(done, testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST(BlockingWorker, RefusesWhatIsTooMuch) {
  std::latch started(1);
  std::latch released(1);
  int done = 0;
  {
    BlockingWorker worker(2);
    ASSERT_TRUE(worker.Do([&] {
      started.count_down();
      released.wait();
    }));
    started.wait();
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(worker.Do([&] { ++done; }));
    EXPECT_FALSE(worker.Do([&] { done += 100; }));
    released.count_down();
  }
  EXPECT_EQ(done, 2) << "what was taken is done before the worker goes";
}

TEST(BlockingWorker, TakesNothingOnceItIsFinished) {
  BlockingWorker worker(2);
  worker.Finish();
  EXPECT_FALSE(worker.Do([] {}));
}

}  // namespace
}  // namespace taula::cli
