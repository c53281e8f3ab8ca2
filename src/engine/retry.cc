#include "engine/retry.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/log.h"

namespace taula::engine {
namespace {

constexpr std::chrono::milliseconds kPauseMin(100);
constexpr std::chrono::milliseconds kPauseMax(3200);

}  // namespace

Retry::Retry(std::string what, std::stop_token stop)
    : what_(std::move(what)), stop_(std::move(stop)), pause_(kPauseMin) {}

void Retry::Wait(std::string_view reason) {
  if (!std::exchange(waiting_, true)) {
    base::Log(base::LogLevel::kWarning, "{} is held up, and is tried again until it works: {}", what_, reason);
  }
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any stopped;
  stopped.wait_for(lock, stop_, pause_, [] { return false; });
  pause_ = std::min(2 * pause_, kPauseMax);
}

void Retry::Worked() {
  pause_ = kPauseMin;
  if (std::exchange(waiting_, false)) base::Log(base::LogLevel::kInfo, "{} goes on", what_);
}

}  // namespace taula::engine
