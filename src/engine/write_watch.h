// Who looks at writes as they are decided, where anybody does: what they cost,
// whether there is capacity for it, and which keys are written most.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "catalog/table.h"
#include "engine/key_watch.h"
#include "metrics/traffic.h"
#include "storage/batch.h"
#include "taula/capacity.h"
#include "taula/error.h"

namespace taula::engine {

class Throttle;

struct WriteWatch {
  metrics::Traffic* traffic = nullptr;
  Throttle* throttle = nullptr;
  KeyCounts* keys = nullptr;
};

// A write that is about to be carried out.
struct DecidedWrite {
  const catalog::Table& table;
  std::string_view store_key;
  const ConsumedCapacity& capacity;
  const storage::Batch& batch;
};

[[nodiscard]] inline bool Looks(const WriteWatch& watch, const catalog::Table& table) {
  return watch.throttle != nullptr || (watch.keys != nullptr && WatchesKeys(table));
}

// Why there is no capacity for it. When there is, it is taken.
[[nodiscard]] std::optional<Error> LookAt(const WriteWatch& watch, std::int64_t now_ms, const DecidedWrite& write);

}  // namespace taula::engine
