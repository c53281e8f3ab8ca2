// The records of a stream: what changes of items leave in its lanes
// (catalog/stream.h), in the same batch as the change. Persisted
// (docs/formats.md): do not change.
//
//   lane prefix := 'J' space:u32be lane:u32be
//   record key  := lane prefix, position:u64be
//   record      := format:u8 kind:u8 parts:u8 time:u64 stored-item*
//
// The stored items are the images that the stream's view asks for, the older
// one first, or the key alone when it asks for none of those there are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/key_range.h"
#include "catalog/stream.h"
#include "catalog/table.h"
#include "storage/batch.h"
#include "taula/value.h"

namespace taula::engine {

enum class ChangeKind : char {
  kInsert = 'i',
  kModify = 'm',
  kRemove = 'r',
  kExpire = 'x',  // removed by the time to live
};

struct Change {
  ChangeKind kind = ChangeKind::kInsert;
  std::int64_t now_ms = 0;
  std::string_view item_key;               // in the store
  std::optional<std::string_view> before;  // as stored
  std::optional<std::string_view> after;
};

// Whether the table's changes are to be logged.
[[nodiscard]] inline bool LogsChanges(const catalog::Table& table) { return table.stream_space != 0; }

void LogChange(const catalog::Table& table, const Change& change, storage::Batch& batch);

struct ChangeRecord {
  ChangeKind kind = ChangeKind::kInsert;
  std::int64_t time_ms = 0;
  // Views of the record's bytes. With the key there is no image.
  std::optional<std::string_view> key;  // all as stored
  std::optional<std::string_view> before;
  std::optional<std::string_view> after;
};

// Nothing when the bytes are not a record.
[[nodiscard]] std::optional<ChangeRecord> DecodeChange(std::string_view record);

[[nodiscard]] std::string LanePrefix(codec::SpaceId stream_space, std::uint32_t lane);
// The records of a lane between two positions, both included.
[[nodiscard]] base::KeyRange LaneRange(codec::SpaceId stream_space, std::uint32_t lane, std::uint64_t first,
                                       std::uint64_t last);
[[nodiscard]] std::uint64_t PositionOf(std::string_view record_key);

// All records of a stream, for erasing.
[[nodiscard]] base::KeyRange ChangesRange(codec::SpaceId stream_space);

}  // namespace taula::engine
