#include "engine/ordered_views.h"

#include "base/bytes.h"

namespace taula::engine {
namespace {

constexpr std::size_t kViewPrefixBytes = codec::kSpacePrefixBytes + 1;

const catalog::KeySchema& KeyOfOwner(const catalog::Table& table, const catalog::Index* index) {
  return index == nullptr ? table.key : index->key;
}

codec::SpaceId SpaceOfOwner(const catalog::Table& table, const catalog::Index* index) {
  return index == nullptr ? table.space : index->space;
}

// Takes the parts of these attributes off the beginning of `rest`.
std::string_view TakeParts(const std::vector<catalog::KeyAttribute>& attributes, std::string_view& rest) {
  std::size_t bytes = 0;
  for (const catalog::KeyAttribute& attribute : attributes) {
    bytes += codec::KeyPartBytes(rest.substr(bytes), attribute.type);
  }
  const std::string_view parts = rest.substr(0, bytes);
  rest.remove_prefix(bytes);
  return parts;
}

// The parts of a view's entry.
struct ViewParts {
  std::string_view partition;
  std::string_view sort;
  std::string_view rest;  // in an index: the table's key
};

ViewParts PartsOf(const catalog::KeySchema& key, ViewOrder order, std::string_view view_key) {
  ViewParts parts{.partition = {}, .sort = {}, .rest = view_key.substr(kViewPrefixBytes)};
  if (order == ViewOrder::kBySort) parts.sort = TakeParts(key.sort, parts.rest);
  parts.partition = TakeParts(key.partition, parts.rest);
  if (order == ViewOrder::kByPartition) parts.sort = TakeParts(key.sort, parts.rest);
  return parts;
}

std::string StoreKey(codec::SpaceId space, std::string_view partition, std::string_view rest) {
  std::string key(1, codec::kDataKind);
  key.reserve(codec::kPartitionPrefixBytes + partition.size() + rest.size());
  base::AppendBigEndianU32(key, space);
  base::AppendBigEndianU32(key, codec::PartitionHash(partition));
  return key.append(partition).append(rest);
}

}  // namespace

std::vector<ViewOrder> ViewOrders(const catalog::KeySchema& key) {
  if (key.sort.empty()) return {ViewOrder::kByPartition};
  return {ViewOrder::kByPartition, ViewOrder::kBySort};
}

std::string ViewPrefix(codec::SpaceId space, ViewOrder order) {
  std::string prefix(1, codec::kOrderedKind);
  base::AppendBigEndianU32(prefix, space);
  prefix.push_back(static_cast<char>(order));
  return prefix;
}

base::KeyRange ViewsRange(codec::SpaceId space) {
  std::string begin = ViewPrefix(space, ViewOrder::kByPartition).substr(0, codec::kSpacePrefixBytes);
  std::string end = codec::PrefixEnd(begin);
  return {std::move(begin), std::move(end)};
}

std::string ViewKey(const catalog::Table& table, const catalog::Index* index, ViewOrder order,
                    std::string_view store_key) {
  std::string key = ViewPrefix(SpaceOfOwner(table, index), order);
  std::string_view rest = store_key.substr(codec::kPartitionPrefixBytes);
  key.reserve(key.size() + rest.size());
  if (order == ViewOrder::kByPartition) return key.append(rest);
  const catalog::KeySchema& schema = KeyOfOwner(table, index);
  const std::string_view partition = TakeParts(schema.partition, rest);
  const std::string_view sort = TakeParts(schema.sort, rest);
  return key.append(sort).append(partition).append(rest);
}

std::string ViewedKey(const catalog::Table& table, const catalog::Index* index, ViewOrder order,
                      std::string_view view_key) {
  const ViewParts parts = PartsOf(KeyOfOwner(table, index), order, view_key);
  std::string key = StoreKey(SpaceOfOwner(table, index), parts.partition, parts.sort);
  return key.append(parts.rest);
}

std::string ViewedItemKey(const catalog::Table& table, const catalog::Index* index, ViewOrder order,
                          std::string_view view_key) {
  if (index == nullptr) return ViewedKey(table, nullptr, order, view_key);
  std::string_view rest = PartsOf(index->key, order, view_key).rest;
  const std::string_view partition = TakeParts(table.key.partition, rest);
  return StoreKey(table.space, partition, rest);
}

void PutInViews(const catalog::Table& table, const catalog::Index* index, std::string_view store_key,
                storage::Batch& batch) {
  for (const ViewOrder order : ViewOrders(KeyOfOwner(table, index))) {
    batch.Put(ViewKey(table, index, order, store_key), "");
  }
}

void DeleteFromViews(const catalog::Table& table, const catalog::Index* index, std::string_view store_key,
                     storage::Batch& batch) {
  for (const ViewOrder order : ViewOrders(KeyOfOwner(table, index))) {
    batch.Delete(ViewKey(table, index, order, store_key));
  }
}

}  // namespace taula::engine
