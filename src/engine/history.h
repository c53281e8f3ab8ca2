// The history of a table with point-in-time recovery: for each change of an
// item, what the item was before. So the table as it was at any time is its
// present state with what happened since taken back. Persisted (docs/formats.md):
// do not change.
//
//   history key := 'H' space:u32be 00000000 position:u64be
//   value       := format:u8 time:u64 bytes:varint item-key stored-item?
//
// The item key is the item's, from its hash on; without a stored item there was
// none. The position is the store's (storage/batch.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/key_range.h"
#include "catalog/table.h"
#include "codec/key_codec.h"
#include "storage/batch.h"

namespace taula::engine {

[[nodiscard]] inline bool KeepsHistory(const catalog::Table& table) { return table.recovery.has_value(); }

void LogHistory(const catalog::Table& table, std::string_view item_key, std::int64_t now_ms,
                std::optional<std::string_view> before, storage::Batch& batch);

struct HistoryRecord {
  std::int64_t time_ms = 0;
  std::string_view item_key;               // from the hash on
  std::optional<std::string_view> before;  // as stored
};

// Nothing when the bytes are not a record. The views are of the bytes.
[[nodiscard]] std::optional<HistoryRecord> DecodeHistory(std::string_view value);

// All of a history; its keys are in the order in which things happened.
[[nodiscard]] base::KeyRange HistoryRange(codec::SpaceId space);

}  // namespace taula::engine
