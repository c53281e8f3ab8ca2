#include "engine/table_worker.h"

#include <utility>

namespace taula::engine {

TableWorker::TableWorker() : thread_([this](const std::stop_token& stop) { Run(stop); }) {}

TableWorker::~TableWorker() = default;

void TableWorker::Do(Work work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
  }
  changed_.notify_all();
}

void TableWorker::WaitUntilIdle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queue_.empty() && !busy_; });
}

void TableWorker::Run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !queue_.empty(); })) {
    if (stop.stop_requested()) return;
    const Work work = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    lock.unlock();
    work(stop);
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace taula::engine
