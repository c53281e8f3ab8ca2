#include "base/clock.h"

#include <ctime>

namespace taula::base {
namespace {

std::int64_t ReadMs(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

class SystemClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t NowMs() const override { return ReadMs(CLOCK_REALTIME); }
};

}  // namespace

const Clock& Clock::System() {
  static const SystemClock clock;
  return clock;
}

std::int64_t SteadyMs() { return ReadMs(CLOCK_MONOTONIC_COARSE); }

}  // namespace taula::base
