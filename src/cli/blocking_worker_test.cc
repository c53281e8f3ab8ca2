#include "cli/blocking_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
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

TEST(BlockingWorker, HasAsManyThreadsAsThereIsWorkForAndNoMore) {
  std::latch both(2);
  BlockingWorker worker(10, 2);
  // Each ends only when the other runs, too.
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(worker.Do([&] { both.arrive_and_wait(); }));
  both.wait();
  std::atomic<int> running = 0;
  std::atomic<int> running_max = 0;
  for (int i = 0; i < 8; ++i) {
    EXPECT_TRUE(worker.Do([&] {
      running_max = std::max(running_max.load(), ++running);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      --running;
    }));
  }
  worker.Finish();
  EXPECT_LE(running_max, 2);
}

TEST(BlockingWorker, TakesNothingOnceItIsFinished) {
  BlockingWorker worker(2);
  worker.Finish();
  EXPECT_FALSE(worker.Do([] {}));
}

}  // namespace
}  // namespace taula::cli
