// Threads for work that blocks, so that the threads of the connections need not.
// Each begins when there is work that no other has time for.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace taula::cli {

class BlockingWorker {
 public:
  using Work = std::move_only_function<void()>;

  explicit BlockingWorker(std::size_t queue_max, std::size_t threads_max = 1)
      : queue_max_(queue_max), threads_max_(threads_max) {}
  ~BlockingWorker();
  BlockingWorker(const BlockingWorker&) = delete;
  BlockingWorker& operator=(const BlockingWorker&) = delete;

  // Takes the work, which is begun in the order it came. False when too much is
  // waiting, the machine has no thread for it, or the worker is finished.
  [[nodiscard]] bool Do(Work work);

  // Does all it has taken, takes no more, and returns.
  void Finish();

 private:
  void Run();
  // False when the machine has no more.
  [[nodiscard]] bool AddThread();

  const std::size_t queue_max_;
  const std::size_t threads_max_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> queue_;
  std::size_t idle_threads_ = 0;
  bool finishing_ = false;
  std::vector<std::thread> threads_;  // last: they use all of the above
};

}  // namespace taula::cli
