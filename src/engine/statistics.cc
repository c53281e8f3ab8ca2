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

std::optional<std::int64_t> ReadCounter(const storage::Reader& reader, std::string_view key) {
  std::optional<std::int64_t> count = 0;
  const storage::Status status = reader.Get(key, [&count](std::string_view value) {
    if (value.size() == sizeof(*count)) {
      count = static_cast<std::int64_t>(base::ReadU64(value.data()));
    } else {
      count.reset();
    }
  });
  return status == storage::Status::kOk ? count : std::nullopt;
}

}  // namespace

std::optional<SpaceStatistics> TryReadStatistics(const storage::Reader& reader, codec::SpaceId space) {
  const std::string prefix = SpacePrefix(kStatisticsKind, space);
  const std::optional<std::int64_t> items = ReadCounter(reader, prefix + kItems);
  const std::optional<std::int64_t> bytes = ReadCounter(reader, prefix + kBytes);
  if (!items || !bytes) return std::nullopt;
  return SpaceStatistics{.items = *items, .bytes = *bytes};
}

SpaceStatistics ReadStatistics(const storage::Reader& reader, codec::SpaceId space) {
  return TryReadStatistics(reader, space).value_or(SpaceStatistics{});
}

void AddStatistics(storage::Batch& batch, codec::SpaceId space, std::int64_t items, std::int64_t bytes) {
  if (items == 0 && bytes == 0) return;
  std::string key = SpacePrefix(kStatisticsKind, space);
  key.push_back(kItems);
  if (items != 0) batch.Add(key, items);
  key.back() = kBytes;
  if (bytes != 0) batch.Add(key, bytes);
}

std::string CollectionKey(std::string_view partition) {
  std::string key(partition);
  key[0] = kCollectionKind;
  return key;
}

std::optional<std::int64_t> TryReadCollectionBytes(const storage::Reader& reader, std::string_view partition) {
  return ReadCounter(reader, CollectionKey(partition));
}

std::int64_t ReadCollectionBytes(const storage::Reader& reader, std::string_view partition) {
  return TryReadCollectionBytes(reader, partition).value_or(0);
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
