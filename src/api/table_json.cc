#include "api/table_json.h"

#include "catalog/enum_names.h"

namespace taula::api {

using codec::JsonWriter;

void WriteKey(JsonWriter& json, const std::vector<KeySchemaElement>& key) {
  json.Key("KeySchema").BeginArray();
  for (const KeySchemaElement& element : key) {
    json.BeginObject();
    json.Key("AttributeName").String(element.name);
    json.Key("KeyType").String(catalog::NameOf(element.type));
    json.EndObject();
  }
  json.EndArray();
}

void WriteProjection(JsonWriter& json, const Projection& projection) {
  json.Key("Projection").BeginObject();
  json.Key("ProjectionType").String(catalog::NameOf(projection.type));
  if (!projection.non_key_attributes.empty()) {
    json.Key("NonKeyAttributes").BeginArray();
    for (const std::string& name : projection.non_key_attributes) json.String(name);
    json.EndArray();
  }
  json.EndObject();
}

void WriteEncryption(JsonWriter& json, const EncryptionDescription& encryption) {
  json.Key("SSEDescription").BeginObject();
  json.Key("Status").String(encryption.status);
  json.Key("SSEType").String(encryption.type);
  json.Key("KMSMasterKeyArn").String(encryption.kms_key_arn);
  json.EndObject();
}

namespace {

void WriteProvisioned(JsonWriter& json, const ProvisionedThroughputDescription& throughput) {
  json.Key("ProvisionedThroughput").BeginObject();
  if (throughput.last_increase) json.Key("LastIncreaseDateTime").Double(*throughput.last_increase);
  if (throughput.last_decrease) json.Key("LastDecreaseDateTime").Double(*throughput.last_decrease);
  json.Key("NumberOfDecreasesToday").Integer(throughput.decreases_today);
  json.Key("ReadCapacityUnits").Integer(throughput.read_units);
  json.Key("WriteCapacityUnits").Integer(throughput.write_units);
  json.EndObject();
}

void WriteOnDemand(JsonWriter& json, const std::optional<OnDemandThroughput>& throughput) {
  if (!throughput) return;
  json.Key("OnDemandThroughput").BeginObject();
  if (throughput->max_read_units) json.Key("MaxReadRequestUnits").Integer(*throughput->max_read_units);
  if (throughput->max_write_units) json.Key("MaxWriteRequestUnits").Integer(*throughput->max_write_units);
  json.EndObject();
}

void WriteWarm(JsonWriter& json, const std::optional<WarmThroughputDescription>& warm) {
  if (!warm) return;
  json.Key("WarmThroughput").BeginObject();
  json.Key("ReadUnitsPerSecond").Integer(warm->read_units_per_second);
  json.Key("WriteUnitsPerSecond").Integer(warm->write_units_per_second);
  json.Key("Status").String(warm->updating ? "UPDATING" : "ACTIVE");
  json.EndObject();
}

void WriteRestore(JsonWriter& json, const RestoreSummary& restore) {
  json.Key("RestoreSummary").BeginObject();
  if (restore.source_backup_arn) json.Key("SourceBackupArn").String(*restore.source_backup_arn);
  if (restore.source_table_arn) json.Key("SourceTableArn").String(*restore.source_table_arn);
  json.Key("RestoreDateTime").Double(restore.time);
  json.Key("RestoreInProgress").Boolean(true);
  json.EndObject();
}

void WriteIndex(JsonWriter& json, const IndexDescription& index, bool global) {
  json.BeginObject();
  json.Key("IndexName").String(index.name);
  WriteKey(json, index.key_schema);
  WriteProjection(json, index.projection);
  if (global) {
    json.Key("IndexStatus").String(catalog::NameOf(index.status));
    if (index.backfilling) json.Key("Backfilling").Boolean(*index.backfilling);
    if (index.provisioned_throughput) WriteProvisioned(json, *index.provisioned_throughput);
  }
  json.Key("IndexSizeBytes").Integer(index.size_bytes);
  json.Key("ItemCount").Integer(index.item_count);
  json.Key("IndexArn").String(index.arn);
  WriteOnDemand(json, index.on_demand_throughput);
  WriteWarm(json, index.warm_throughput);
  json.EndObject();
}

void WriteIndexes(JsonWriter& json, std::string_view name, const std::vector<IndexDescription>& indexes, bool global) {
  if (indexes.empty()) return;
  json.Key(name).BeginArray();
  for (const IndexDescription& index : indexes) WriteIndex(json, index, global);
  json.EndArray();
}

void WriteKeys(JsonWriter& json, const TableDescription& table) {
  if (!table.attribute_definitions.empty()) {
    json.Key("AttributeDefinitions").BeginArray();
    for (const AttributeDefinition& definition : table.attribute_definitions) {
      json.BeginObject();
      json.Key("AttributeName").String(definition.name);
      json.Key("AttributeType").String(catalog::NameOf(definition.type));
      json.EndObject();
    }
    json.EndArray();
  }
  json.Key("TableName").String(table.name);
  if (!table.key_schema.empty()) WriteKey(json, table.key_schema);
}

void WriteStream(JsonWriter& json, const TableDescription& table) {
  if (table.stream) {
    json.Key("StreamSpecification").BeginObject();
    json.Key("StreamEnabled").Boolean(table.stream->enabled);
    if (table.stream->view_type) json.Key("StreamViewType").String(catalog::NameOf(*table.stream->view_type));
    json.EndObject();
  }
  if (table.latest_stream_label) json.Key("LatestStreamLabel").String(*table.latest_stream_label);
  if (table.latest_stream_arn) json.Key("LatestStreamArn").String(*table.latest_stream_arn);
}

void WriteSettings(JsonWriter& json, const TableDescription& table) {
  if (table.billing_mode) {
    json.Key("BillingModeSummary").BeginObject();
    json.Key("BillingMode").String(catalog::NameOf(*table.billing_mode));
    if (table.last_on_demand_switch) {
      json.Key("LastUpdateToPayPerRequestDateTime").Double(*table.last_on_demand_switch);
    }
    json.EndObject();
  }
  WriteIndexes(json, "LocalSecondaryIndexes", table.local_indexes, false);
  WriteIndexes(json, "GlobalSecondaryIndexes", table.global_indexes, true);
  WriteStream(json, table);
  if (table.restore) WriteRestore(json, *table.restore);
  if (table.encryption) WriteEncryption(json, *table.encryption);
  if (table.table_class) {
    json.Key("TableClassSummary").BeginObject();
    json.Key("TableClass").String(catalog::NameOf(*table.table_class));
    if (table.last_table_class_update) json.Key("LastUpdateDateTime").Double(*table.last_table_class_update);
    json.EndObject();
  }
  json.Key("DeletionProtectionEnabled").Boolean(table.deletion_protection);
  WriteOnDemand(json, table.on_demand_throughput);
  WriteWarm(json, table.warm_throughput);
}

}  // namespace

void WriteTable(JsonWriter& json, const TableDescription& table) {
  json.BeginObject();
  WriteKeys(json, table);
  json.Key("TableStatus").String(catalog::NameOf(table.status));
  if (table.creation_time) json.Key("CreationDateTime").Double(*table.creation_time);
  WriteProvisioned(json, table.provisioned_throughput);
  json.Key("TableSizeBytes").Integer(table.size_bytes);
  json.Key("ItemCount").Integer(table.item_count);
  json.Key("TableArn").String(table.arn);
  json.Key("TableId").String(table.id);
  WriteSettings(json, table);
  json.EndObject();
}

Result<std::string> TableAnswer(std::string_view member, const Result<TableDescription>& table) {
  if (!table) return std::unexpected(table.error());
  std::string answer;
  JsonWriter json(answer);
  json.BeginObject();
  json.Key(member);
  WriteTable(json, *table);
  json.EndObject();
  return answer;
}

}  // namespace taula::api
