// Lets things go wrong as a profile asks for (fault_profile.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/fault_profile.h"
#include "taula/error.h"

namespace taula::api {

// A profile at work. The same seed gives the same faults to the same requests,
// in the order they come in.
class Faults {
 public:
  explicit Faults(FaultProfile profile);

  [[nodiscard]] const FaultProfile& profile() const { return profile_; }

  // Why a request on the table fails that is otherwise in order; `table_arn` is
  // told where Amazon tells it.
  [[nodiscard]] std::optional<Error> Refusal(std::string_view operation, std::string_view table,
                                             const std::string& table_arn);
  // Whether one of its items meets a transaction, or is handed back.
  [[nodiscard]] bool Conflicts(std::string_view operation, std::string_view table);
  [[nodiscard]] bool LeavesUnprocessed(std::string_view operation, std::string_view table);
  // Whether the answer to what was carried out is lost.
  [[nodiscard]] bool LosesAnswer(std::string_view operation, std::string_view table);
  [[nodiscard]] double LatencyMs(std::string_view operation, std::string_view table);

 private:
  // Each kind of fault of each rule draws numbers of its own, so that adding
  // one does not change the others.
  struct Draws {
    std::atomic<std::uint64_t> throttle = 0;
    std::atomic<std::uint64_t> internal_error = 0;
    std::atomic<std::uint64_t> unavailable = 0;
    std::atomic<std::uint64_t> conflict = 0;
    std::atomic<std::uint64_t> lost_answer = 0;
    std::atomic<std::uint64_t> unprocessed = 0;
    std::atomic<std::uint64_t> latency = 0;
  };

  // From 0 up to, but not, 1.
  [[nodiscard]] double Draw(std::size_t rule, std::atomic<std::uint64_t> Draws::*kind);
  [[nodiscard]] bool Happens(std::string_view operation, std::string_view table, double FaultRule::*share,
                             std::atomic<std::uint64_t> Draws::*kind);

  const FaultProfile profile_;
  std::vector<std::unique_ptr<Draws>> draws_;  // by rule
};

using FaultsPtr = std::shared_ptr<Faults>;

// The profile at work now, which can be changed at any time.
class CurrentFaults {
 public:
  // Nothing when all goes well.
  [[nodiscard]] FaultsPtr Get() const {
    if (!any_.load(std::memory_order_relaxed)) [[likely]]
      return nullptr;
    const std::lock_guard lock(mutex_);
    return faults_;
  }
  void Set(FaultsPtr faults) {
    const std::lock_guard lock(mutex_);
    faults_ = std::move(faults);
    any_.store(faults_ != nullptr, std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> any_ = false;
  mutable std::mutex mutex_;
  FaultsPtr faults_;
};

}  // namespace taula::api
