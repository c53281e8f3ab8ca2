#include "cli/blocking_worker.h"

#include <system_error>
#include <utility>

namespace taula::cli {

BlockingWorker::~BlockingWorker() { Finish(); }

bool BlockingWorker::Do(Work work) {
  {
    const std::lock_guard lock(mutex_);
    if (finishing_ || queue_.size() >= queue_max_) return false;
    queue_.push_back(std::move(work));
    const bool all_busy = queue_.size() > idle_threads_;
    if (all_busy && threads_.size() < threads_max_ && !AddThread() && threads_.empty()) {
      queue_.pop_back();
      return false;
    }
  }
  changed_.notify_one();
  return true;
}

bool BlockingWorker::AddThread() {
  try {
    threads_.emplace_back(&BlockingWorker::Run, this);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

void BlockingWorker::Finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void BlockingWorker::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_threads_;
    changed_.wait(lock, [this] { return finishing_ || !queue_.empty(); });
    --idle_threads_;
    if (queue_.empty()) return;
    Work work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
  }
}

}  // namespace taula::cli
