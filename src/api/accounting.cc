#include "api/accounting.h"

#include <algorithm>

#include "value/map_builder.h"

namespace taula::api {

void AddCapacity(std::vector<ConsumedCapacity>& capacities, const ConsumedCapacity& capacity) {
  const auto sum = std::ranges::find(capacities, capacity.table_name, &ConsumedCapacity::table_name);
  if (sum == capacities.end()) {
    capacities.push_back(capacity);
    return;
  }
  sum->table += capacity.table;
  for (const auto& [index, units] : capacity.local_indexes) sum->local_indexes[index] += units;
  for (const auto& [index, units] : capacity.global_indexes) sum->global_indexes[index] += units;
}

ConsumedCapacity TableReadCapacity(const catalog::Table& table, double units) {
  ConsumedCapacity capacity;
  capacity.table_name = table.name;
  capacity.table.read_units = units;
  return capacity;
}

Item CollectionKeyOf(const catalog::Table& table, ValueView item) {
  std::string key;
  value::MapBuilder map(key);
  for (const catalog::KeyAttribute& attribute : table.key.partition) {
    if (const std::optional<ValueView> value = item.Find(attribute.name)) map.Add(attribute.name, *value);
  }
  map.Finish();
  return Item::FromEncoded(std::move(key));
}

ItemCollectionMetrics CollectionMetrics(Item collection_key, std::uint64_t bytes) {
  constexpr std::uint64_t kGigabyte = 1024ULL * 1024 * 1024;
  const std::uint64_t whole_gigabytes = bytes / kGigabyte;
  const auto lower = static_cast<double>(whole_gigabytes);
  return {.key = std::move(collection_key), .size_lower_gb = lower, .size_upper_gb = lower + 1};
}

void AddCollectionMetrics(CollectionMetricsByTable& by_table, const std::string& table, ItemCollectionMetrics metrics) {
  auto entry = std::ranges::find(by_table, table, [](const auto& pair) -> const std::string& { return pair.first; });
  if (entry == by_table.end()) entry = by_table.insert(by_table.end(), {table, {}});
  std::vector<ItemCollectionMetrics>& collections = entry->second;
  const auto same = std::ranges::find(collections, metrics.key, &ItemCollectionMetrics::key);
  if (same == collections.end()) {
    collections.push_back(std::move(metrics));
  } else {
    *same = std::move(metrics);
  }
}

}  // namespace taula::api
