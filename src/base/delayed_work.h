// Work that is to be done at a later time, on a thread of its own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace taula::base {

// The thread begins with the first work.
class DelayedWork {
 public:
  using Work = std::move_only_function<void()>;
  using Clock = std::chrono::steady_clock;

  DelayedWork() = default;
  // Does at once what waits.
  ~DelayedWork() { Finish(); }
  DelayedWork(const DelayedWork&) = delete;
  DelayedWork& operator=(const DelayedWork&) = delete;

  // Must not block for long: all work shares the thread.
  void Do(Clock::duration after, Work work);

  // Does at once what waits, and from now on whatever comes.
  void Finish();

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<Clock::time_point, Work> waiting_;
  bool finishing_ = false;
  std::thread thread_;
};

}  // namespace taula::base
