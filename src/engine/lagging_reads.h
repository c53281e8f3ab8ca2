// The store as it was a while ago, for reads that are to lag behind on purpose:
// states are kept every few milliseconds, for as long as anybody may ask.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <random>

#include "engine/repeated_work.h"
#include "storage/store.h"

namespace taula::engine {

struct Lag {
  std::chrono::milliseconds indexes{0};  // of global indexes, always
  std::chrono::milliseconds tables{0};   // of some eventually consistent reads
  double table_share = 0;                // of how many, from 0 to 1
  std::uint64_t seed = 1;
};

// Must not outlive the store.
class LaggingReads {
 public:
  LaggingReads(const storage::Store& store, const Lag& lag);

  // What to read a global index from, or a table without asking for consistency:
  // nothing for the store itself. Whoever holds it ends before this does.
  [[nodiscard]] std::shared_ptr<const storage::Reader> ForIndex() const;
  [[nodiscard]] std::shared_ptr<const storage::Reader> ForTable();

 private:
  using Clock = std::chrono::steady_clock;
  struct State {
    Clock::time_point time;
    std::shared_ptr<const storage::Reader> reader;
  };

  void Keep();
  [[nodiscard]] std::shared_ptr<const storage::Reader> Before(std::chrono::milliseconds lag) const;

  const storage::Store& store_;
  const Lag lag_;
  mutable std::mutex mutex_;  // for what follows
  std::deque<State> states_;  // oldest first
  std::mt19937_64 turns_;
  std::optional<RepeatedWork> keeping_;  // the last to come and the first to go
};

}  // namespace taula::engine
