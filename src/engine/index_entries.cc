#include "engine/index_entries.h"

#include <optional>

#include "base/bytes.h"
#include "base/limits.h"
#include "value/encoding.h"

namespace taula::engine {
namespace {

void AppendPartition(codec::KeyBuilder& key, const catalog::KeySchema& schema, ValueView item) {
  for (const catalog::KeyAttribute& attribute : schema.partition) key.Partition(*item.Find(attribute.name));
  key.EndPartition();
}

// Items from before the index was made may have anything in its key's place.
bool CanBeKey(std::optional<ValueView> value, Type type, std::size_t bytes_max) {
  if (!value || value->type() != type) return false;
  return type == Type::kNumber || (!value->bytes().empty() && value->bytes().size() <= bytes_max);
}

}  // namespace

std::string ItemStoreKey(const catalog::Table& table, ValueView item) {
  codec::KeyBuilder key(table.space);
  AppendPartition(key, table.key, item);
  for (const catalog::KeyAttribute& attribute : table.key.sort) key.Part(*item.Find(attribute.name));
  return key.Take();
}

std::string PartitionStoreKey(const catalog::Table& table, ValueView item) {
  codec::KeyBuilder key(table.space);
  AppendPartition(key, table.key, item);
  return key.Take();
}

std::optional<std::string> IndexStoreKey(const catalog::Table& table, const catalog::Index& index, ValueView item) {
  // Begun with the first attribute: most items that are not in an index lack it.
  std::optional<codec::KeyBuilder> key;
  for (const catalog::KeyAttribute& attribute : index.key.partition) {
    const std::optional<ValueView> value = item.Find(attribute.name);
    if (!CanBeKey(value, attribute.type, base::kPartitionKeyBytesMax)) return std::nullopt;
    if (!key) key.emplace(index.space);
    key->Partition(*value);
  }
  key->EndPartition();
  for (const catalog::KeyAttribute& attribute : index.key.sort) {
    const std::optional<ValueView> value = item.Find(attribute.name);
    if (!CanBeKey(value, attribute.type, base::kSortKeyBytesMax)) return std::nullopt;
    key->Part(*value);
  }
  for (const catalog::KeyAttribute& attribute : table.key.partition) key->Part(*item.Find(attribute.name));
  for (const catalog::KeyAttribute& attribute : table.key.sort) key->Part(*item.Find(attribute.name));
  return key->Take();
}

std::vector<std::string_view> KeysWritten(codec::SpaceId space, const storage::Batch& batch) {
  std::vector<std::string_view> keys;
  batch.ForEach([&](storage::Batch::Op, std::string_view key, std::string_view) {
    if (key.size() > codec::kPartitionPrefixBytes && key[0] == codec::kDataKind &&
        base::ReadBigEndianU32(key.data() + 1) == space) {
      keys.push_back(key);
    }
  });
  return keys;
}

std::string ProjectItem(const catalog::Table& table, const catalog::Index& index, ValueView item) {
  if (index.projection.type == ProjectionType::kAll) return std::string(item.encoded());
  std::string projected;
  const std::size_t begin = value::BeginContainer(projected, Type::kMap);
  for (const auto& [name, value] : item.map()) {
    if (!index.Projects(name, table.key)) continue;
    value::AppendName(projected, name);
    projected.append(value.encoded());
  }
  value::EndContainer(projected, begin);
  return projected;
}

Item KeyOf(const catalog::Table& table, const catalog::Index* index, ValueView item) {
  std::string key;
  const std::size_t begin = value::BeginContainer(key, Type::kMap);
  for (const auto& [name, value] : item.map()) {
    if (!table.key.Names(name) && (index == nullptr || !index->key.Names(name))) continue;
    value::AppendName(key, name);
    key.append(value.encoded());
  }
  value::EndContainer(key, begin);
  return Item::FromEncoded(std::move(key));
}

}  // namespace taula::engine
