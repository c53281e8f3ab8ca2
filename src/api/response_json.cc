#include "api/response_json.h"

namespace taula::api {
namespace {

using codec::JsonWriter;

void WriteUnits(JsonWriter& json, const Capacity& capacity, CapacityForm form) {
  if (form == CapacityForm::kTransaction) {
    if (capacity.read_units > 0) json.Key("ReadCapacityUnits").Double(capacity.read_units);
    if (capacity.write_units > 0) json.Key("WriteCapacityUnits").Double(capacity.write_units);
  }
  json.Key("CapacityUnits").Double(capacity.total());
}

void WriteIndexes(JsonWriter& json, std::string_view name,
                  const std::map<std::string, Capacity, std::less<>>& indexes) {
  if (indexes.empty()) return;
  json.Key(name).BeginObject();
  for (const auto& [index, capacity] : indexes) {
    json.Key(index).BeginObject();
    WriteUnits(json, capacity, CapacityForm::kPlain);
    json.EndObject();
  }
  json.EndObject();
}

}  // namespace

void WriteCapacity(JsonWriter& json, const ConsumedCapacity& capacity, ReturnConsumedCapacity detail,
                   CapacityForm form) {
  json.BeginObject();
  json.Key("TableName").String(capacity.table_name);
  WriteUnits(json, capacity.total(), form);
  if (detail == ReturnConsumedCapacity::kIndexes) {
    json.Key("Table").BeginObject();
    WriteUnits(json, capacity.table, form);
    json.EndObject();
    WriteIndexes(json, "LocalSecondaryIndexes", capacity.local_indexes);
    WriteIndexes(json, "GlobalSecondaryIndexes", capacity.global_indexes);
  }
  json.EndObject();
}

void WriteCapacities(JsonWriter& json, std::span<const ConsumedCapacity> capacities, ReturnConsumedCapacity detail,
                     CapacityForm form) {
  json.BeginArray();
  for (const ConsumedCapacity& capacity : capacities) WriteCapacity(json, capacity, detail, form);
  json.EndArray();
}

void WriteCollectionMetrics(JsonWriter& json, const ItemCollectionMetrics& metrics) {
  json.BeginObject();
  json.Key("ItemCollectionKey").Item(metrics.key.attributes());
  json.Key("SizeEstimateRangeGB").BeginArray();
  json.Double(metrics.size_lower_gb);
  json.Double(metrics.size_upper_gb);
  json.EndArray();
  json.EndObject();
}

void WriteCollectionMetrics(JsonWriter& json, const CollectionMetricsByTable& metrics) {
  json.BeginObject();
  for (const auto& [table, collections] : metrics) {
    json.Key(table).BeginArray();
    for (const ItemCollectionMetrics& collection : collections) WriteCollectionMetrics(json, collection);
    json.EndArray();
  }
  json.EndObject();
}

}  // namespace taula::api
