#include "engine/key_watch.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "codec/key_codec.h"
#include "codec/stored_item.h"

namespace taula::engine {
namespace {

const catalog::KeySchema& KeyOf(const KeysOf& of) { return of.index != nullptr ? of.index->key : of.table.key; }

std::string ValuesOf(const std::vector<catalog::KeyAttribute>& attributes, ValueView item) {
  std::string values;
  for (const catalog::KeyAttribute& attribute : attributes) {
    if (const std::optional<ValueView> value = item.Find(attribute.name)) values.append(value->encoded());
  }
  return values;
}

double EventWeight(KeyEvent event, double units) { return event == KeyEvent::kAccessed ? units : 1; }

}  // namespace

void CountItem(KeyCounts& counts, const KeysOf& of, KeyEvent event, ValueView item, double units, std::int64_t now_ms) {
  counts.Count(of.table, of.index, event, ValuesOf(KeyOf(of).partition, item), ValuesOf(KeyOf(of).sort, item),
               EventWeight(event, units), now_ms);
}

void CountQuery(KeyCounts& counts, const KeysOf& of, ValueView item, double units, std::int64_t now_ms) {
  counts.Count(of.table, of.index, KeyEvent::kAccessed, ValuesOf(KeyOf(of).partition, item), {}, units, now_ms);
}

void CountWrite(KeyCounts& counts, const catalog::Table& table, KeyEvent event, ValueView item,
                const ConsumedCapacity& capacity, const storage::Batch& batch, std::int64_t now_ms) {
  CountItem(counts, {table, nullptr}, event, item, capacity.table.write_units, now_ms);
  for (const catalog::Index& index : table.indexes) {
    const auto charged = capacity.global_indexes.find(index.name);
    if (!index.contributor_insights || charged == capacity.global_indexes.end()) continue;
    batch.ForEach([&](storage::Batch::Op op, std::string_view key, std::string_view stored) {
      const bool is_entry = op == storage::Batch::Op::kPut && key.size() > codec::kPartitionPrefixBytes &&
                            key[0] == codec::kDataKind && base::ReadBigEndianU32(key.data() + 1) == index.space;
      if (!is_entry) return;
      CountItem(counts, {table, &index}, event, codec::StoredItemValue(stored), charged->second.write_units, now_ms);
    });
  }
}

}  // namespace taula::engine
