// The parts that responses of several operations have in common.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codec/json_writer.h"
#include "taula/capacity.h"
#include "taula/requests.h"

namespace taula::api {

// Transactions tell read and write units apart, in all other operations there
// is one kind only.
enum class CapacityForm { kPlain, kTransaction };

void WriteCapacity(codec::JsonWriter& json, const ConsumedCapacity& capacity, ReturnConsumedCapacity detail,
                   CapacityForm form = CapacityForm::kPlain);
// As a list, one for each table.
void WriteCapacities(codec::JsonWriter& json, std::span<const ConsumedCapacity> capacities,
                     ReturnConsumedCapacity detail, CapacityForm form = CapacityForm::kPlain);

void WriteCollectionMetrics(codec::JsonWriter& json, const ItemCollectionMetrics& metrics);

using CollectionMetricsByTable = std::vector<std::pair<std::string, std::vector<ItemCollectionMetrics>>>;
void WriteCollectionMetrics(codec::JsonWriter& json, const CollectionMetricsByTable& metrics);

}  // namespace taula::api
