// The time, as milliseconds since 1970 in UTC, from a clock that tests can turn.
#pragma once

#include <atomic>
#include <cstdint>

namespace taula::base {

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual std::int64_t NowMs() const = 0;

  // The machine's own clock.
  static const Clock& System();
};

// Stands still until it is told to move. Safe to read and move from any thread.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(std::int64_t now_ms = 0) : now_ms_(now_ms) {}
  [[nodiscard]] std::int64_t NowMs() const override { return now_ms_.load(std::memory_order_relaxed); }
  void Set(std::int64_t now_ms) { now_ms_.store(now_ms, std::memory_order_relaxed); }
  void Advance(std::int64_t ms) { now_ms_.fetch_add(ms, std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> now_ms_;
};

// Milliseconds that only ever grow, for measuring and for deadlines. Cheap, and
// as coarse as the kernel's tick (a few milliseconds).
[[nodiscard]] std::int64_t SteadyMs();

}  // namespace taula::base
