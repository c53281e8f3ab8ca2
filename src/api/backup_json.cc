#include "api/backup_json.h"

#include "api/table_json.h"
#include "catalog/enum_names.h"

namespace taula::api {
namespace {

using codec::JsonWriter;

double Seconds(std::int64_t ms) { return static_cast<double>(ms) / 1000; }

void WriteThroughput(JsonWriter& json, const ProvisionedThroughputDescription& throughput) {
  json.Key("ProvisionedThroughput").BeginObject();
  json.Key("ReadCapacityUnits").Integer(throughput.read_units);
  json.Key("WriteCapacityUnits").Integer(throughput.write_units);
  json.EndObject();
}

void WriteSource(JsonWriter& json, const TableDescription& table, const catalog::Backup& backup) {
  json.Key("SourceTableDetails").BeginObject();
  json.Key("TableName").String(table.name);
  json.Key("TableId").String(table.id);
  json.Key("TableArn").String(table.arn);
  json.Key("TableSizeBytes").Integer(backup.bytes);
  WriteKey(json, table.key_schema);
  json.Key("TableCreationDateTime").Double(table.creation_time.value_or(0));
  WriteThroughput(json, table.provisioned_throughput);
  if (table.on_demand_throughput) {
    json.Key("OnDemandThroughput").BeginObject();
    if (const auto units = table.on_demand_throughput->max_read_units) json.Key("MaxReadRequestUnits").Integer(*units);
    if (const auto units = table.on_demand_throughput->max_write_units)
      json.Key("MaxWriteRequestUnits").Integer(*units);
    json.EndObject();
  }
  json.Key("ItemCount").Integer(backup.items);
  json.Key("BillingMode").String(catalog::NameOf(backup.table.billing_mode));
  json.EndObject();
}

void WriteIndexes(JsonWriter& json, std::string_view name, const std::vector<IndexDescription>& indexes) {
  if (indexes.empty()) return;
  json.Key(name).BeginArray();
  for (const IndexDescription& index : indexes) {
    json.BeginObject();
    json.Key("IndexName").String(index.name);
    WriteKey(json, index.key_schema);
    WriteProjection(json, index.projection);
    if (index.provisioned_throughput) WriteThroughput(json, *index.provisioned_throughput);
    json.EndObject();
  }
  json.EndArray();
}

void WriteFeatures(JsonWriter& json, const TableDescription& table, const catalog::Backup& backup) {
  json.Key("SourceTableFeatureDetails").BeginObject();
  if (!backup.of_deleted_table) {
    WriteIndexes(json, "LocalSecondaryIndexes", table.local_indexes);
    WriteIndexes(json, "GlobalSecondaryIndexes", table.global_indexes);
    if (table.stream) {
      json.Key("StreamDescription").BeginObject();
      json.Key("StreamEnabled").Boolean(table.stream->enabled);
      if (table.stream->view_type) json.Key("StreamViewType").String(catalog::NameOf(*table.stream->view_type));
      json.EndObject();
    }
    if (backup.table.time_to_live && backup.table.time_to_live->enabled) {
      json.Key("TimeToLiveDescription").BeginObject();
      json.Key("TimeToLiveStatus").String("ENABLED");
      json.Key("AttributeName").String(backup.table.time_to_live->attribute);
      json.EndObject();
    }
    if (table.encryption) WriteEncryption(json, *table.encryption);
  }
  json.EndObject();
}

}  // namespace

void WriteBackupDetails(JsonWriter& json, const engine::Backups& backups, const catalog::Backup& backup,
                        std::string_view status) {
  json.Key("BackupDetails").BeginObject();
  json.Key("BackupArn").String(backups.Arn(backup));
  json.Key("BackupName").String(backup.name);
  json.Key("BackupSizeBytes").Integer(backup.bytes);
  json.Key("BackupStatus").String(status);
  json.Key("BackupType").String(backup.of_deleted_table ? "SYSTEM" : "USER");
  json.Key("BackupCreationDateTime").Double(Seconds(backup.created_ms));
  if (backup.of_deleted_table) {
    json.Key("BackupExpiryDateTime").Double(Seconds(engine::Backups::ExpiryMs(backup)));
  }
  json.EndObject();
}

std::string BackupDescriptionAnswer(Context& context, const catalog::Backup& backup, std::string_view status) {
  const TableDescription table = context.engine.tables().Describe(backup.table);
  std::string answer;
  JsonWriter json(answer);
  json.BeginObject();
  json.Key("BackupDescription").BeginObject();
  WriteBackupDetails(json, context.engine.backups(), backup, status);
  WriteSource(json, table, backup);
  WriteFeatures(json, table, backup);
  json.EndObject();
  json.EndObject();
  return answer;
}

std::string ContinuousBackupsAnswer(const std::optional<engine::RecoveryWindow>& window) {
  std::string answer;
  JsonWriter json(answer);
  json.BeginObject();
  json.Key("ContinuousBackupsDescription").BeginObject();
  json.Key("ContinuousBackupsStatus").String("ENABLED");
  json.Key("PointInTimeRecoveryDescription").BeginObject();
  json.Key("PointInTimeRecoveryStatus").String(window ? "ENABLED" : "DISABLED");
  if (window) {
    json.Key("RecoveryPeriodInDays").Integer(window->days);
    json.Key("EarliestRestorableDateTime").Double(Seconds(window->earliest_ms));
    json.Key("LatestRestorableDateTime").Double(Seconds(window->latest_ms));
  }
  json.EndObject();
  json.EndObject();
  json.EndObject();
  return answer;
}

}  // namespace taula::api
