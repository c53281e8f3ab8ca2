// What reads and writes of items add up to: capacity by table, and the sizes of
// item collections.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/response_json.h"
#include "catalog/table.h"
#include "taula/capacity.h"

namespace taula::api {

// Adds to the entry of the same table, or makes one.
void AddCapacity(std::vector<ConsumedCapacity>& capacities, const ConsumedCapacity& capacity);

// What reading from a table alone, no index, was charged.
[[nodiscard]] ConsumedCapacity TableReadCapacity(const catalog::Table& table, double units);

// The partition key of an item, which names its item collection.
[[nodiscard]] Item CollectionKeyOf(const catalog::Table& table, ValueView item);

// Sizes are told as a range of whole gigabytes.
[[nodiscard]] ItemCollectionMetrics CollectionMetrics(Item collection_key, std::uint64_t bytes);

// A collection is there once for each table, with the size it had last.
void AddCollectionMetrics(CollectionMetricsByTable& by_table, const std::string& table, ItemCollectionMetrics metrics);

}  // namespace taula::api
