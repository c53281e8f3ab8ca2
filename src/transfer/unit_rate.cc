#include "transfer/unit_rate.h"

#include <algorithm>

#include "base/clock.h"
#include "client/patience.h"

namespace taula::transfer {

void UnitRate::Earn() {
  const std::int64_t now_ms = base::SteadyMs();
  if (earned_ms_ != 0) {
    saved_ = std::min(per_second_, saved_ + per_second_ * static_cast<double>(now_ms - earned_ms_) / 1000);
  }
  earned_ms_ = now_ms;
}

bool UnitRate::Await(const std::stop_token& stop) {
  if (per_second_ <= 0) return !stop.stop_requested();
  while (true) {
    std::int64_t wait_ms = 0;
    {
      const std::lock_guard lock(mutex_);
      Earn();
      if (saved_ >= 0) return !stop.stop_requested();
      wait_ms = 1 + static_cast<std::int64_t>(-saved_ / per_second_ * 1000);
    }
    if (!client::WaitFor(wait_ms, stop)) return false;
  }
}

void UnitRate::Spend(double units) {
  if (per_second_ <= 0) return;
  const std::lock_guard lock(mutex_);
  Earn();
  saved_ -= units;
}

}  // namespace taula::transfer
