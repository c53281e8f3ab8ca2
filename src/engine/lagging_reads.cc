#include "engine/lagging_reads.h"

#include <algorithm>
#include <random>
#include <utility>

namespace taula::engine {
namespace {

using std::chrono::milliseconds;

// Often enough that what is seen is at most an eighth older than it should be.
milliseconds IntervalOf(const Lag& lag) {
  milliseconds shortest = std::max(lag.indexes, lag.tables);
  for (const milliseconds each : {lag.indexes, lag.tables}) {
    if (each.count() > 0) shortest = std::min(shortest, each);
  }
  return std::clamp(shortest / 8, milliseconds(2), milliseconds(250));
}

}  // namespace

LaggingReads::LaggingReads(const storage::Store& store, const Lag& lag) : store_(store), lag_(lag), turns_(lag.seed) {
  Keep();
  keeping_.emplace(IntervalOf(lag_), [this](const std::stop_token&) { Keep(); });
}

void LaggingReads::Keep() {
  const Clock::time_point now = Clock::now();
  State state{now, store_.Snapshot()};
  const std::lock_guard lock(mutex_);
  states_.push_back(std::move(state));
  // The first that is old enough for everybody is still wanted.
  const milliseconds longest = std::max(lag_.indexes, lag_.tables);
  while (states_.size() > 1 && now - states_[1].time >= longest) states_.pop_front();
}

std::shared_ptr<const storage::Reader> LaggingReads::Before(milliseconds lag) const {
  const Clock::time_point wanted = Clock::now() - lag;
  const std::lock_guard lock(mutex_);
  const auto later = std::ranges::upper_bound(states_, wanted, {}, &State::time);
  // What was before the lag was asked for is not known.
  return later == states_.begin() ? states_.front().reader : std::prev(later)->reader;
}

std::shared_ptr<const storage::Reader> LaggingReads::ForIndex() const {
  return lag_.indexes.count() > 0 ? Before(lag_.indexes) : nullptr;
}

std::shared_ptr<const storage::Reader> LaggingReads::ForTable() {
  if (lag_.tables.count() == 0 || lag_.table_share <= 0) return nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (std::uniform_real_distribution<double>(0, 1)(turns_) >= lag_.table_share) return nullptr;
  }
  return Before(lag_.tables);
}

}  // namespace taula::engine
