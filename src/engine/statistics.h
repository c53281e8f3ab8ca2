// How many items a table or an index has and how large they are: counters in
// the store, written in the same batch as the items they count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/key_codec.h"
#include "storage/batch.h"
#include "storage/store.h"

namespace taula::engine {

struct SpaceStatistics {
  std::int64_t items = 0;
  std::int64_t bytes = 0;  // in DynamoDB's accounting
};

// Nothing when the store cannot be read; without Try, zero then.
[[nodiscard]] std::optional<SpaceStatistics> TryReadStatistics(const storage::Reader& reader, codec::SpaceId space);
[[nodiscard]] SpaceStatistics ReadStatistics(const storage::Reader& reader, codec::SpaceId space);
void AddStatistics(storage::Batch& batch, codec::SpaceId space, std::int64_t items, std::int64_t bytes);

// The size of one item collection (all items of a partition and their local
// index entries), counted only on tables with local indexes. `partition` is the
// item's key up to the end of its partition key.
[[nodiscard]] std::string CollectionKey(std::string_view partition);
[[nodiscard]] std::optional<std::int64_t> TryReadCollectionBytes(const storage::Reader& reader,
                                                                 std::string_view partition);
[[nodiscard]] std::int64_t ReadCollectionBytes(const storage::Reader& reader, std::string_view partition);

// All counters of a space, for erasing.
[[nodiscard]] base::KeyRange StatisticsRange(codec::SpaceId space);
[[nodiscard]] base::KeyRange CollectionRange(codec::SpaceId space);

}  // namespace taula::engine
