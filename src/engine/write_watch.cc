#include "engine/write_watch.h"

#include "engine/throttle.h"

namespace taula::engine {

std::optional<Error> LookAt(const WriteWatch& watch, std::int64_t now_ms, const DecidedWrite& write) {
  std::optional<Error> refused;
  if (watch.throttle != nullptr) {
    refused = watch.throttle->TakeWrite(write.table, write.store_key, write.capacity, write.batch);
  }
  if (watch.keys != nullptr && WatchesKeys(write.table)) {
    CountWrite(*watch.keys, write.table, refused ? KeyEvent::kThrottled : KeyEvent::kAccessed, write.item,
               write.capacity, write.batch, now_ms);
  }
  return refused;
}

}  // namespace taula::engine
