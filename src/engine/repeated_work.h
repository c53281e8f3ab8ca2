// Work that is due now and then, on a thread of its own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace taula::engine {

// Ends, and waits for, the work when it is destroyed.
class RepeatedWork {
 public:
  // The first time after one interval, and each time one interval after the
  // last has ended.
  RepeatedWork(std::chrono::milliseconds interval, std::function<void(const std::stop_token&)> work)
      : thread_([interval, work = std::move(work)](const std::stop_token& stop) {
          std::mutex mutex;
          std::condition_variable_any wake;
          std::unique_lock lock(mutex);
          while (true) {
            wake.wait_for(lock, stop, interval, [] { return false; });
            if (stop.stop_requested()) return;
            work(stop);
          }
        }) {}

 private:
  std::jthread thread_;
};

}  // namespace taula::engine
