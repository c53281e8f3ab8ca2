#include "engine/statistics.h"

#include "base/bytes.h"

namespace taula::engine {
namespace {

// Persisted (docs/formats.md): do not change.
constexpr char kStatisticsKind = 'S';
constexpr char kCollectionKind = 'L';
constexpr char kItems = 'i';
constexpr char kBytes = 'b';

std::string SpacePrefix(char kind, codec::SpaceId space) {
  std::string key(1, kind);
  base::AppendBigEndianU32(key, space);
  return key;
}

std::int64_t ReadCounter(const storage::Reader& reader, std::string_view key) {
  std::int64_t count = 0;
  // A store that cannot be read says so to the request itself; a statistic is
  // then zero.
  (void)reader.Get(key, [&count](std::string_view value) {
    if (value.size() == sizeof(count)) count = static_cast<std::int64_t>(base::ReadU64(value.data()));
  });
  return count;
}

}  // namespace

SpaceStatistics ReadStatistics(const storage::Reader& reader, codec::SpaceId space) {
  const std::string prefix = SpacePrefix(kStatisticsKind, space);
  return {.items = ReadCounter(reader, prefix + kItems), .bytes = ReadCounter(reader, prefix + kBytes)};
}

void AddStatistics(storage::Batch& batch, codec::SpaceId space, std::int64_t items, std::int64_t bytes) {
  if (items == 0 && bytes == 0) return;
  const std::string prefix = SpacePrefix(kStatisticsKind, space);
  if (items != 0) batch.Add(prefix + kItems, items);
  if (bytes != 0) batch.Add(prefix + kBytes, bytes);
}

std::string CollectionKey(std::string_view partition) {
  std::string key(partition);
  key[0] = kCollectionKind;
  return key;
}

std::int64_t ReadCollectionBytes(const storage::Reader& reader, std::string_view partition) {
  return ReadCounter(reader, CollectionKey(partition));
}

base::KeyRange StatisticsRange(codec::SpaceId space) {
  const std::string prefix = SpacePrefix(kStatisticsKind, space);
  return {prefix, codec::PrefixEnd(prefix)};
}

base::KeyRange CollectionRange(codec::SpaceId space) {
  const std::string prefix = SpacePrefix(kCollectionKind, space);
  return {prefix, codec::PrefixEnd(prefix)};
}

}  // namespace taula::engine
