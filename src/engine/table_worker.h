// A thread that carries out pieces of background work, one after the other.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace taula::engine {

class TableWorker {
 public:
  // A piece of work looks at its token now and then, and returns when it is
  // stopped.
  using Work = std::function<void(std::stop_token)>;

  TableWorker();
  // Stops what is under way and forgets the rest.
  ~TableWorker();
  TableWorker(const TableWorker&) = delete;
  TableWorker& operator=(const TableWorker&) = delete;

  void Do(Work work);
  // Tells what is under way to end, without waiting for it.
  void RequestStop() { thread_.request_stop(); }
  // Waits until there is nothing left to do.
  void WaitUntilIdle();

 private:
  void Run(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Work> queue_;
  bool busy_ = false;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace taula::engine
