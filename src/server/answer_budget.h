// Bounds what the answers that wait to be sent take together.
#pragma once

#include <atomic>
#include <cstddef>

namespace taula::server {

// An answer that exists cannot be refused, so charging never fails. What the
// budget says instead is when no further requests should be taken.
class AnswerBudget {
 public:
  explicit AnswerBudget(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  [[nodiscard]] bool exhausted() const { return charged_.load(std::memory_order_relaxed) >= bytes_max_; }

  void Charge(std::size_t bytes) { charged_.fetch_add(bytes, std::memory_order_relaxed); }
  // True for the one call that ends an exhaustion.
  [[nodiscard]] bool GiveBack(std::size_t bytes) {
    const std::size_t before = charged_.fetch_sub(bytes, std::memory_order_relaxed);
    return before >= bytes_max_ && before - bytes < bytes_max_;
  }

 private:
  const std::size_t bytes_max_;
  std::atomic<std::size_t> charged_ = 0;
};

}  // namespace taula::server
