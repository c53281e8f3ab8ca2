#include "server/poller.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <functional>
#include <future>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/socket_pair_testing.h"

namespace taula::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

class RunningPoller {
 public:
  RunningPoller() : thread_([this] { poller.Run(); }) {}
  ~RunningPoller() { Stop(); }

  void Stop() {
    if (!thread_.joinable()) return;
    poller.Post([this] { poller.Stop(); });
    thread_.join();
  }
  // Runs it on the poller's thread and waits for it.
  void Do(const std::function<void()>& work) {
    std::promise<void> done;
    poller.Post([&] {
      work();
      done.set_value();
    });
    done.get_future().get();
  }

  Poller poller;

 private:
  std::thread thread_;
};

struct Ends : SocketPair {
  void TheySend(std::string_view text) {
    const iovec piece = Piece(text);
    EXPECT_EQ(theirs.Send({&piece, 1}).bytes, text.size());
  }
};

class Recorder final : public Poller::Watcher {
 public:
  explicit Recorder(std::function<void(Readiness)> then = {}) : then_(std::move(then)) {}
  void OnReady(Readiness readiness) override {
    ++calls;
    readable = readable || readiness.readable;
    ending = ending || readiness.ending;
    if (then_) then_(readiness);
  }
  std::atomic<int> calls = 0;
  std::atomic<bool> readable = false;
  std::atomic<bool> ending = false;

 private:
  std::function<void(Readiness)> then_;
};

bool Becomes(const std::function<bool()>& condition) {
  const auto deadline = steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

TEST(Poller, RunsTasksInTheirOrder) {
  RunningPoller running;
  std::vector<int> order;
  for (int i = 0; i < 1000; ++i) running.poller.Post([&order, i] { order.push_back(i); });
  running.Do([] {});
  ASSERT_EQ(order.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(Poller, MissesNoTaskOfManyThreads) {
  RunningPoller running;
  constexpr int kThreads = 4;
  constexpr int kTasks = 5000;
  int ran = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kTasks; ++i) {
        running.poller.Post([&] { ++ran; });
        // So that it is asleep now and then, or just about to be.
        if (i % 100 == 0) std::this_thread::sleep_for(std::chrono::microseconds(i % 700));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  running.Do([] {});
  EXPECT_EQ(ran, kThreads * kTasks);
}

TEST(Poller, WakesForEveryTask) {
  RunningPoller running;
  for (int i = 0; i < 300; ++i) {
    if (i % 3 == 0) std::this_thread::sleep_for(milliseconds(1));
    running.Do([] {});
  }
}

TEST(Poller, RunsWhatATaskPosts) {
  RunningPoller running;
  std::promise<void> done;
  running.poller.Post([&] { running.poller.Post([&] { done.set_value(); }); });
  EXPECT_EQ(done.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
}

TEST(Poller, TellsWhatHappensToASocket) {
  Ends ends;
  Recorder recorder;
  RunningPoller running;
  running.Do([&] { EXPECT_TRUE(running.poller.Watch(ends.ours, recorder)); });
  EXPECT_TRUE(Becomes([&] { return recorder.calls == 1; }));  // it can be written to
  EXPECT_FALSE(recorder.readable);
  ends.TheySend("a");
  EXPECT_TRUE(Becomes([&] { return recorder.readable.load(); }));
  EXPECT_FALSE(recorder.ending);
  ends.theirs.Close();
  EXPECT_TRUE(Becomes([&] { return recorder.ending.load(); }));
}

TEST(Poller, TellsOfWhatCameBeforeItWasWatched) {
  Ends ends;
  ends.TheySend("early");
  Recorder recorder;
  RunningPoller running;
  running.Do([&] { EXPECT_TRUE(running.poller.Watch(ends.ours, recorder)); });
  EXPECT_TRUE(Becomes([&] { return recorder.readable.load(); }));
}

TEST(Poller, TellsEachEdgeOnce) {
  Ends ends;
  Recorder recorder;
  RunningPoller running;
  running.Do([&] { EXPECT_TRUE(running.poller.Watch(ends.ours, recorder)); });
  // That it can be written is told first. What comes at that very moment may be told twice.
  EXPECT_TRUE(Becomes([&] { return recorder.calls > 0; }));
  ends.TheySend("unread");
  EXPECT_TRUE(Becomes([&] { return recorder.readable.load(); }));
  const int calls = recorder.calls;
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(recorder.calls, calls);
  ends.TheySend("more");
  EXPECT_TRUE(Becomes([&] { return recorder.calls > calls; }));
}

TEST(Poller, CallsNobodyAfterTheTaskThatFollowsAClosing) {
  RunningPoller running;
  Ends first;
  Ends second;
  // Both become ready together, and whoever is called first closes both.
  std::unique_ptr<Recorder> a;
  std::unique_ptr<Recorder> b;
  std::atomic<bool> gone = false;
  const auto close_both = [&](Readiness readiness) {
    if (!readiness.readable || !first.ours.is_open()) return;
    first.ours.Close();
    second.ours.Close();
    running.poller.Post([&] {
      a.reset();
      b.reset();
      gone = true;
    });
  };
  a = std::make_unique<Recorder>(close_both);
  b = std::make_unique<Recorder>(close_both);
  first.TheySend("a");
  second.TheySend("b");
  running.Do([&] {
    EXPECT_TRUE(running.poller.Watch(first.ours, *a));
    EXPECT_TRUE(running.poller.Watch(second.ours, *b));
  });
  EXPECT_TRUE(Becomes([&] { return gone.load(); }));
}

TEST(Poller, RefusesToWatchWhatIsClosed) {
  RunningPoller running;
  Socket closed{Descriptor()};
  Recorder recorder;
  running.Do([&] { EXPECT_FALSE(running.poller.Watch(closed, recorder)); });
}

TEST(Poller, RunsDelayedTasksInTime) {
  RunningPoller running;
  std::vector<int> order;
  std::promise<void> done;
  const auto begun = steady_clock::now();
  running.Do([&] {
    running.poller.PostAfter(milliseconds(400), [&] {
      order.push_back(400);
      done.set_value();
    });
    running.poller.PostAfter(milliseconds(20), [&] {
      order.push_back(20);
      running.poller.PostAfter(milliseconds(10), [&] { order.push_back(30); });
    });
  });
  done.get_future().get();
  EXPECT_GE(steady_clock::now() - begun, milliseconds(390));
  running.Do([] {});
  EXPECT_EQ(order, (std::vector{20, 30, 400}));
}

TEST(Poller, RunsDelayedTasksInTheOrderOfTheirTimesWhenItIsLate) {
  RunningPoller running;
  std::vector<int> order;
  running.Do([&] {
    for (const int ms : {30, 10, 20}) running.poller.PostAfter(milliseconds(ms), [&order, ms] { order.push_back(ms); });
    std::this_thread::sleep_for(milliseconds(60));
  });
  running.Do([] {});
  EXPECT_EQ(order, (std::vector{10, 20, 30}));
}

// Busy or not, deadlines are kept.
TEST(Poller, RunsDelayedTasksBetweenOthers) {
  RunningPoller running;
  std::atomic<bool> due = false;
  running.Do([&] { running.poller.PostAfter(milliseconds(20), [&] { due = true; }); });
  EXPECT_TRUE(Becomes([&] {
    for (int i = 0; i < 100; ++i) running.poller.Post([] {});
    return due.load();
  }));
}

TEST(Poller, DropsWhatIsLeftAtItsEnd) {
  auto counted = std::make_shared<int>(0);
  {
    RunningPoller running;
    running.Do([&] {
      running.poller.PostAfter(std::chrono::hours(1), [counted] {});
      running.poller.Post([&] { running.poller.Stop(); });
      running.poller.Post([counted] { ++*counted; });  // of the same turn: still runs
      running.poller.Post([&, counted] { running.poller.Post([counted] { ++*counted; }); });
    });
    running.Stop();
    EXPECT_EQ(counted.use_count(), 1);
  }
  EXPECT_EQ(*counted, 1);
}

TEST(Poller, KnowsItsThread) {
  RunningPoller running;
  EXPECT_FALSE(running.poller.runs_on_this_thread());
  running.Do([&] { EXPECT_TRUE(running.poller.runs_on_this_thread()); });
}

std::int64_t ThreadCpuMs() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return used.tv_sec * 1000 + used.tv_nsec / 1'000'000;
}

// It looks again only as long as that pays.
TEST(Poller, SleepsWhenThereIsLittleToDo) {
  RunningPoller running;
  std::int64_t before_ms = 0;
  std::int64_t after_ms = 0;
  for (int i = 0; i < 3000; ++i) running.Do([] {});  // close together
  running.Do([&] { before_ms = ThreadCpuMs(); });
  for (int i = 0; i < 100; ++i) {
    std::this_thread::sleep_for(milliseconds(3));
    running.Do([] {});
  }
  running.Do([&] { after_ms = ThreadCpuMs(); });
  EXPECT_LT(after_ms - before_ms, 60);
}

}  // namespace
}  // namespace taula::server
