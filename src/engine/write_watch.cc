#include "engine/write_watch.h"

#include <algorithm>

#include "engine/throttle.h"

namespace taula::engine {

namespace {

// Amazon's insights do not tell of writes that an index had no capacity for.
bool IsForWantOfTheTable(const Error& refused) {
  return std::ranges::any_of(refused.throttling_reasons,
                             [](const ThrottlingReason& each) { return each.reason.starts_with("Table"); });
}

}  // namespace

std::optional<Error> LookAt(const WriteWatch& watch, std::int64_t now_ms, const DecidedWrite& write) {
  std::optional<Error> refused;
  if (watch.throttle != nullptr) {
    refused = watch.throttle->TakeWrite(write.table, write.store_key, write.capacity, write.batch);
  }
  if (watch.keys == nullptr || !WatchesKeys(write.table)) return refused;
  if (!refused) {
    CountWrite(*watch.keys, write.table, write.store_key, write.capacity, write.batch, now_ms);
  } else if (IsForWantOfTheTable(*refused)) {
    CountThrottledItem(*watch.keys, write.table, write.store_key, now_ms);
  }
  return refused;
}

}  // namespace taula::engine
