#include "base/clock.h"

#include <fmt/format.h>

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

std::string IsoTimestamp(std::int64_t ms) {
  std::int64_t seconds = ms / 1000;
  std::int64_t fraction = ms % 1000;
  if (fraction < 0) {
    fraction += 1000;
    --seconds;
  }
  const std::time_t time = seconds;
  std::tm utc{};
  gmtime_r(&time, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec, fraction);
}

}  // namespace taula::base
