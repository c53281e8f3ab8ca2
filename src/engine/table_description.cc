#include "engine/table_description.h"

#include <algorithm>
#include <utility>

#include "engine/statistics.h"
#include "engine/table_arn.h"

namespace taula::engine {

namespace {

std::vector<KeySchemaElement> DescribeKey(const catalog::KeySchema& key) {
  std::vector<KeySchemaElement> elements;
  for (const catalog::KeyAttribute& attribute : key.partition) elements.push_back({attribute.name, KeyType::kHash});
  for (const catalog::KeyAttribute& attribute : key.sort) elements.push_back({attribute.name, KeyType::kRange});
  return elements;
}

ProvisionedThroughputDescription DescribeProvisioned(ProvisionedThroughputDescription throughput, std::int64_t now_ms) {
  throughput.decreases_today = DecreasesToday(throughput, now_ms);
  return throughput;
}

WarmThroughputDescription DescribeWarm(const Throughput& warm) { return {warm.read_units, warm.write_units, false}; }

// While an index is being filled its counters are not right yet, and may even
// be below zero (backfill.h).
template <typename Description>
void DescribeStatistics(const SpaceStatistics& statistics, Description& description) {
  description.item_count = std::max<std::int64_t>(statistics.items, 0);
  description.size_bytes = std::max<std::int64_t>(statistics.bytes, 0);
}

IndexDescription DescribeIndex(const catalog::Index& index, std::string_view table_arn, const storage::Reader& reader,
                               std::int64_t now_ms) {
  IndexDescription description;
  description.name = index.name;
  description.arn = IndexArn(table_arn, index.name);
  description.key_schema = DescribeKey(index.key);
  description.projection = index.projection;
  DescribeStatistics(ReadStatistics(reader, index.space), description);
  if (!index.global) return description;
  description.status = index.status;
  if (index.status == IndexStatus::kCreating) description.backfilling = true;
  description.provisioned_throughput = DescribeProvisioned(index.provisioned_throughput, now_ms);
  description.on_demand_throughput = index.on_demand_throughput;
  description.warm_throughput = DescribeWarm(index.warm_throughput);
  return description;
}

void DescribeSettings(const catalog::Table& table, TableDescription& description) {
  if (table.billing_mode == BillingMode::kPayPerRequest || table.on_demand_since_ms) {
    description.billing_mode = table.billing_mode;
    if (table.on_demand_since_ms) description.last_on_demand_switch = Seconds(*table.on_demand_since_ms);
  }
  description.stream = table.stream;
  if (!table.stream_label.empty()) {
    description.latest_stream_label = table.stream_label;
    description.latest_stream_arn = StreamArn(description.arn, table.stream_label);
  }
  if (table.kms_key_arn) description.encryption = EncryptionDescription{.kms_key_arn = *table.kms_key_arn};
  description.table_class = table.table_class;
  if (table.table_class_changed_ms) description.last_table_class_update = Seconds(*table.table_class_changed_ms);
  description.deletion_protection = table.deletion_protection;
}

}  // namespace

std::int64_t DecreasesToday(const ProvisionedThroughputDescription& throughput, std::int64_t now_ms) {
  constexpr std::int64_t kDaySeconds = 24 * 60 * 60;
  if (!throughput.last_decrease) return 0;
  const auto day = static_cast<std::int64_t>(*throughput.last_decrease) / kDaySeconds;
  return day == now_ms / 1000 / kDaySeconds ? throughput.decreases_today : 0;
}

TableDescription DescribeTable(const catalog::Table& table, std::string_view table_arn, const storage::Reader& reader,
                               std::int64_t now_ms) {
  TableDescription description;
  description.name = table.name;
  description.arn = table_arn;
  description.id = table.id;
  description.status = table.status;
  description.creation_time = Seconds(table.created_ms);
  description.attribute_definitions = table.attribute_definitions;
  description.key_schema = DescribeKey(table.key);
  description.provisioned_throughput = DescribeProvisioned(table.provisioned_throughput, now_ms);
  description.on_demand_throughput = table.on_demand_throughput;
  description.warm_throughput = DescribeWarm(table.warm_throughput);
  DescribeStatistics(ReadStatistics(reader, table.space), description);
  for (const catalog::Index& index : table.indexes) {
    (index.global ? description.global_indexes : description.local_indexes)
        .push_back(DescribeIndex(index, table_arn, reader, now_ms));
  }
  DescribeSettings(table, description);
  return description;
}

TableDescription DescribeDeleted(TableDescription description) {
  description.status = TableStatus::kDeleting;
  description.creation_time.reset();
  description.attribute_definitions.clear();
  description.key_schema.clear();
  description.local_indexes.clear();
  description.global_indexes.clear();
  description.warm_throughput.reset();
  return description;
}

}  // namespace taula::engine
