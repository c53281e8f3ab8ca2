#include "engine/housekeeping.h"

#include <chrono>

#include "engine/idempotency.h"

namespace taula::engine {
namespace {

constexpr std::chrono::seconds kInterval{60};

}  // namespace

Housekeeping::Housekeeping(storage::Store& store, const base::Clock& clock)
    : store_(store), clock_(clock), thread_([this] { Run(); }) {}

Housekeeping::~Housekeeping() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stop_.notify_all();
  thread_.join();
}

void Housekeeping::Run() {
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, kInterval, [this] { return stopping_; })) {
    lock.unlock();
    ForgetExpiredTokens(store_, clock_.NowMs());
    lock.lock();
  }
}

}  // namespace taula::engine
