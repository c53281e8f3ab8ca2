// A stream as the database knows it: the log of one table's changes, from the
// time it is turned on until a day after it is turned off. One immutable
// version; a change makes a new one (catalog.h).
//
// Records lie in as many logs as the stream has lanes, by the hash of their
// partition key, so that those of one item stay in their order. The position
// that the store gives a record (storage/batch.h) orders all of them. What a
// client knows as a shard is a lane during one period: from time to time all
// shards are closed and followed by new ones, as Amazon does.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/table.h"
#include "codec/key_codec.h"
#include "taula/table.h"

namespace taula::catalog {

// Ends where the next one begins, or with the stream.
struct StreamPeriod {
  std::uint64_t first_position = 0;
  std::int64_t begun_ms = 0;
};

struct StreamEnd {
  std::uint64_t last_position = 0;
  std::int64_t ended_ms = 0;
};

struct Stream {
  codec::SpaceId space = 0;
  std::string table_name;
  std::string table_id;
  std::string label;
  StreamViewType view = StreamViewType::kNewAndOldImages;
  KeySchema key;  // of the table
  std::int64_t created_ms = 0;
  std::uint32_t lanes = 1;
  std::vector<StreamPeriod> periods;  // at least one, oldest first
  // No record up to this position is left.
  std::uint64_t trimmed_position = 0;
  // Nothing while the table, or somebody who still holds an older version of it,
  // may add records.
  std::optional<StreamEnd> end;
  std::optional<std::string> resource_policy;
  std::string resource_policy_revision;
};

// Of a stream that is made now.
inline constexpr std::uint32_t kStreamLanes = 4;

using StreamPtr = std::shared_ptr<const Stream>;

}  // namespace taula::catalog
