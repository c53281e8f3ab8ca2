#include "base/delayed_work.h"

#include <utility>

namespace taula::base {

void DelayedWork::Do(Clock::duration after, Work work) {
  {
    const std::lock_guard lock(mutex_);
    if (!finishing_) {
      if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
      waiting_.emplace(Clock::now() + after, std::move(work));
      changed_.notify_one();
      return;
    }
  }
  work();
}

void DelayedWork::Finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void DelayedWork::Run() {
  std::unique_lock lock(mutex_);
  while (!finishing_ || !waiting_.empty()) {
    if (waiting_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto next = waiting_.begin();
    if (!finishing_ && next->first > Clock::now()) {
      changed_.wait_until(lock, next->first);
      continue;
    }
    Work work = std::move(next->second);
    waiting_.erase(next);
    lock.unlock();
    work();
    lock.lock();
  }
}

}  // namespace taula::base
