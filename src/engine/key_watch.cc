#include "engine/key_watch.h"

#include <vector>

#include "codec/key_codec.h"
#include "engine/index_entries.h"

namespace taula::engine {
namespace {

constexpr double kWriteWeight = 3;

std::size_t BytesOf(const std::vector<catalog::KeyAttribute>& attributes, std::string_view parts) {
  std::size_t bytes = 0;
  for (const catalog::KeyAttribute& attribute : attributes) {
    bytes += codec::KeyPartBytes(parts.substr(bytes), attribute.type);
  }
  return bytes;
}

void CountKey(KeyCounts& counts, const catalog::Table& table, const catalog::Index* index, KeyEvent event,
              std::string_view store_key, double weight, std::int64_t now_ms) {
  if (!KeyCounts::Wants(table, index, event)) return;
  const catalog::KeySchema& schema = index == nullptr ? table.key : index->key;
  const std::string_view parts = store_key.substr(codec::kPartitionPrefixBytes);
  const std::size_t partition = BytesOf(schema.partition, parts);
  const std::size_t sort = BytesOf(schema.sort, parts.substr(partition));
  const std::string_view whole = sort == 0 ? std::string_view() : parts.substr(0, partition + sort);
  counts.Count(table, index, event, {parts.substr(0, partition), whole}, weight, now_ms);
}

}  // namespace

void CountItemRead(KeyCounts& counts, const catalog::Table& table, std::string_view store_key, double read_units,
                   std::int64_t now_ms) {
  CountKey(counts, table, nullptr, KeyEvent::kAccessed, store_key, read_units, now_ms);
}

void CountQuery(KeyCounts& counts, const catalog::Table& table, const catalog::Index* index, KeyEvent event,
                std::string_view store_key, double read_units, std::int64_t now_ms) {
  if (index != nullptr && !index->global) index = nullptr;
  if (!KeyCounts::Wants(table, index, event)) return;
  const std::string_view parts = store_key.substr(codec::kPartitionPrefixBytes);
  const std::size_t partition = BytesOf(index == nullptr ? table.key.partition : index->key.partition, parts);
  counts.Count(table, index, event, {parts.substr(0, partition), {}}, event == KeyEvent::kAccessed ? read_units : 1,
               now_ms);
}

void CountWrite(KeyCounts& counts, const catalog::Table& table, std::string_view store_key,
                const ConsumedCapacity& capacity, const storage::Batch& batch, std::int64_t now_ms) {
  double own = capacity.table.write_units;
  for (const auto& [name, units] : capacity.local_indexes) own += units.write_units;
  CountKey(counts, table, nullptr, KeyEvent::kAccessed, store_key, kWriteWeight * own, now_ms);
  for (const catalog::Index& index : table.indexes) {
    const auto charged = capacity.global_indexes.find(index.name);
    if (charged == capacity.global_indexes.end() || !KeyCounts::Wants(table, &index, KeyEvent::kAccessed)) continue;
    // An entry that moves leaves one key for another, each at its share.
    const std::vector<std::string_view> entries = KeysWritten(index.space, batch);
    const double share = charged->second.write_units / static_cast<double>(entries.size());
    for (const std::string_view entry : entries) {
      CountKey(counts, table, &index, KeyEvent::kAccessed, entry, kWriteWeight * share, now_ms);
    }
  }
}

void CountThrottledItem(KeyCounts& counts, const catalog::Table& table, std::string_view store_key,
                        std::int64_t now_ms) {
  CountKey(counts, table, nullptr, KeyEvent::kThrottled, store_key, 1, now_ms);
}

}  // namespace taula::engine
