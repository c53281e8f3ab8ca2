// Holds whoever spends capacity units to so many a second.
#pragma once

#include <cstdint>
#include <mutex>
#include <stop_token>

namespace taula::transfer {

// Calls may come from several threads. What a call costs is known only
// afterwards, so a debt is waited for by those who come next.
class UnitRate {
 public:
  // Not more than a second's units are saved up. 0: no limit.
  explicit UnitRate(double units_per_second) : per_second_(units_per_second) {}

  // Waits until there is no debt; false when asked to stop.
  [[nodiscard]] bool Await(const std::stop_token& stop);
  void Spend(double units);

 private:
  void Earn();

  const double per_second_;
  std::mutex mutex_;
  double saved_ = 0;  // negative: a debt
  std::int64_t earned_ms_ = 0;
};

}  // namespace taula::transfer
