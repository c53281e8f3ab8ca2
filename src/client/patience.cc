#include "client/patience.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/clock.h"
#include "base/random_id.h"

namespace taula::client {

bool IsPassing(const Error& error) {
  return error.code == ErrorCode::kServiceUnavailable || error.code == ErrorCode::kInternalServerError ||
         error.code == ErrorCode::kThrottlingException || error.code == ErrorCode::kRequestLimitExceeded ||
         error.code == ErrorCode::kProvisionedThroughputExceededException;
}

bool WaitFor(std::int64_t ms, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, std::chrono::milliseconds(ms), [] { return false; });
  return !stop.stop_requested();
}

bool Waits::Next() {
  const std::int64_t now_ms = base::SteadyMs();
  if (tries_ == 0) first_ms_ = now_ms;
  if (now_ms - first_ms_ >= patience_.give_up_ms) return false;
  const std::int64_t doublings = std::min<std::int64_t>(tries_++, 20);
  const std::int64_t longest = std::min(patience_.wait_ms_max, patience_.wait_ms_first << doublings);
  const auto random = static_cast<std::int64_t>(base::Random64() >> 1);
  return WaitFor(1 + random % longest, patience_.stop);
}

Result<std::string> CallPatiently(const CallFunction& call, std::string_view operation, const std::string& body,
                                  const Patience& patience) {
  Waits waits(patience);
  while (true) {
    auto answer = call(operation, body);
    if (answer || !IsPassing(answer.error()) || !waits.Next()) return answer;
  }
}

}  // namespace taula::client
