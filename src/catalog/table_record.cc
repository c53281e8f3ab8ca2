#include "catalog/table_record.h"

#include <utility>
#include <vector>

#include "catalog/key_record.h"

namespace taula::catalog {

namespace {

Value EncodeProvisioned(const ProvisionedThroughputDescription& throughput) {
  RecordWriter record;
  record.Number("read", throughput.read_units);
  record.Number("write", throughput.write_units);
  record.Number("decreases", throughput.decreases_today);
  record.Time("increased", throughput.last_increase);
  record.Time("decreased", throughput.last_decrease);
  return record.TakeValue();
}

ProvisionedThroughputDescription DecodeProvisioned(const RecordReader& record) {
  ProvisionedThroughputDescription throughput;
  throughput.read_units = record.Number("read").value_or(0);
  throughput.write_units = record.Number("write").value_or(0);
  throughput.decreases_today = record.Number("decreases").value_or(0);
  throughput.last_increase = record.Time("increased");
  throughput.last_decrease = record.Time("decreased");
  return throughput;
}

// What tables and global indexes have in common.
template <typename Owner>
void EncodeThroughput(RecordWriter& record, const Owner& owner) {
  record.Set("provisioned", EncodeProvisioned(owner.provisioned_throughput));
  if (owner.on_demand_throughput) {
    record.Number("on_demand_read_max", owner.on_demand_throughput->max_read_units);
    record.Number("on_demand_write_max", owner.on_demand_throughput->max_write_units);
  }
  record.Number("warm_read", owner.warm_throughput.read_units);
  record.Number("warm_write", owner.warm_throughput.write_units);
}

template <typename Owner>
void DecodeThroughput(const RecordReader& record, Owner& owner) {
  if (const auto provisioned = record.Map("provisioned")) {
    owner.provisioned_throughput = DecodeProvisioned(*provisioned);
  }
  const OnDemandThroughput on_demand{record.Number("on_demand_read_max"), record.Number("on_demand_write_max")};
  if (on_demand != OnDemandThroughput{}) owner.on_demand_throughput = on_demand;
  owner.warm_throughput.read_units = record.Number("warm_read").value_or(0);
  owner.warm_throughput.write_units = record.Number("warm_write").value_or(0);
}

// What tables and global indexes have in common.
template <typename Owner>
void EncodeInsights(RecordWriter& record, const Owner& owner) {
  if (!owner.contributor_insights) return;
  RecordWriter insights;
  insights.Flag("enabled", owner.contributor_insights->enabled);
  insights.Flag("throttled_only", owner.contributor_insights->throttled_keys_only);
  insights.Number("enabled_at", owner.contributor_insights->enabled_ms);
  insights.Number("changed", owner.contributor_insights->changed_ms);
  record.Set("insights", insights.TakeValue());
}

template <typename Owner>
void DecodeInsights(const RecordReader& record, Owner& owner) {
  const auto insights = record.Map("insights");
  if (!insights) return;
  owner.contributor_insights = {.enabled = insights->Flag("enabled"),
                                .throttled_keys_only = insights->Flag("throttled_only"),
                                .enabled_ms = insights->Number("enabled_at").value_or(0),
                                .changed_ms = insights->Number("changed").value_or(0)};
}

Value EncodeIndex(const Index& index) {
  RecordWriter record;
  record.Text("name", index.name);
  record.Number("space", index.space);
  record.Flag("global", index.global);
  EncodeKey(record, index.key);
  record.Named("projection", index.projection.type);
  record.Set("projected", EncodeList(index.projection.non_key_attributes, [](const std::string& name) {
               RecordWriter attribute;
               attribute.Text("name", name);
               return attribute.TakeValue();
             }));
  record.Named("status", index.status);
  if (index.global) EncodeThroughput(record, index);
  EncodeInsights(record, index);
  return record.TakeValue();
}

bool DecodeIndex(const RecordReader& record, Index& index) {
  const auto name = record.Text("name");
  const auto space = record.Number("space");
  const auto projection = record.Named<ProjectionType>("projection");
  const auto status = record.Named<IndexStatus>("status");
  if (!name || !space || !projection || !status || !DecodeKey(record, index.key)) return false;
  index.name = *name;
  index.space = static_cast<codec::SpaceId>(*space);
  index.global = record.Flag("global");
  index.projection.type = *projection;
  index.status = *status;
  DecodeThroughput(record, index);
  DecodeInsights(record, index);
  return record.ForEach("projected", [&](const RecordReader& attribute) {
    auto attribute_name = attribute.Text("name");
    if (!attribute_name) return false;
    index.projection.non_key_attributes.push_back(std::move(*attribute_name));
    return true;
  });
}

Value EncodeDestination(const KinesisDestination& destination) {
  RecordWriter record;
  record.Text("stream", destination.stream_arn);
  record.Flag("active", destination.active);
  if (!destination.failure.empty()) record.Text("failure", destination.failure);
  record.Text("precision", destination.timestamp_precision);
  return record.TakeValue();
}

// Records of versions that knew none have no list.
bool DecodeDestinations(const RecordReader& record, std::vector<KinesisDestination>& destinations) {
  if (!record.Find("kinesis", Type::kList)) return true;
  return record.ForEach("kinesis", [&](const RecordReader& element) {
    const auto stream = element.Text("stream");
    if (!stream) return false;
    destinations.push_back({.stream_arn = *stream,
                            .active = element.Flag("active"),
                            .failure = element.Text("failure").value_or(""),
                            .timestamp_precision = element.Text("precision")});
    return true;
  });
}

void EncodeSettings(RecordWriter& record, const Table& table) {
  if (table.stream) {
    record.Flag("stream_enabled", table.stream->enabled);
    record.Named("stream_view", table.stream->view_type);
  }
  if (!table.stream_label.empty()) record.Text("stream_label", table.stream_label);
  if (table.stream_space != 0) {
    record.Number("stream_space", table.stream_space);
    record.Number("stream_since", table.stream_since_ms);
  }
  record.Text("kms_key", table.kms_key_arn);
  record.Named("table_class", table.table_class);
  record.Number("table_class_changed", table.table_class_changed_ms);
  record.Flag("deletion_protection", table.deletion_protection);
  record.Set("tags", EncodeList(table.tags, [](const Tag& tag) {
               RecordWriter element;
               element.Text("key", tag.key);
               element.Text("value", tag.value);
               return element.TakeValue();
             }));
  if (table.time_to_live) {
    RecordWriter time_to_live;
    time_to_live.Text("attribute", table.time_to_live->attribute);
    time_to_live.Flag("enabled", table.time_to_live->enabled);
    time_to_live.Flag("filling", table.time_to_live->filling);
    time_to_live.Number("changed", table.time_to_live->changed_ms);
    record.Set("time_to_live", time_to_live.TakeValue());
  }
  record.Text("resource_policy", table.resource_policy);
  if (!table.resource_policy_revision.empty()) record.Text("policy_revision", table.resource_policy_revision);
  EncodeInsights(record, table);
  if (!table.kinesis_destinations.empty()) {
    record.Set("kinesis", EncodeList(table.kinesis_destinations, EncodeDestination));
  }
  if (!table.claims_id.empty()) record.Text("claims", table.claims_id);
  record.Named("range_queries", table.range_queries);
}

void EncodeRecovery(RecordWriter& record, const Table& table) {
  if (table.recovery) {
    RecordWriter recovery;
    recovery.Number("space", table.recovery->space);
    recovery.Number("since", table.recovery->since_ms);
    recovery.Number("days", table.recovery->days);
    record.Set("recovery", recovery.TakeValue());
  }
  if (table.restore) {
    RecordWriter restore;
    restore.Text("backup", table.restore->backup_id);
    restore.Text("table", table.restore->source_table_name);
    restore.Text("table_id", table.restore->source_table_id);
    restore.Number("time", table.restore->time_ms);
    restore.Flag("in_progress", table.restore->in_progress);
    record.Set("restore", restore.TakeValue());
  }
}

void DecodeRecovery(const RecordReader& record, Table& table) {
  if (const auto recovery = record.Map("recovery")) {
    table.recovery = {.space = static_cast<codec::SpaceId>(recovery->Number("space").value_or(0)),
                      .since_ms = recovery->Number("since").value_or(0),
                      .days = recovery->Number("days").value_or(35)};
  }
  if (const auto restore = record.Map("restore")) {
    table.restore = {.backup_id = restore->Text("backup").value_or(""),
                     .source_table_name = restore->Text("table").value_or(""),
                     .source_table_id = restore->Text("table_id").value_or(""),
                     .time_ms = restore->Number("time").value_or(0),
                     .in_progress = restore->Flag("in_progress")};
  }
}

void DecodeSettings(const RecordReader& record, Table& table) {
  if (record.Flag("stream_enabled")) table.stream = {true, record.Named<StreamViewType>("stream_view")};
  table.stream_label = record.Text("stream_label").value_or("");
  table.stream_space = static_cast<codec::SpaceId>(record.Number("stream_space").value_or(0));
  table.stream_since_ms = record.Number("stream_since").value_or(0);
  table.kms_key_arn = record.Text("kms_key");
  table.table_class = record.Named<TableClass>("table_class");
  table.table_class_changed_ms = record.Number("table_class_changed");
  table.deletion_protection = record.Flag("deletion_protection");
  if (const auto time_to_live = record.Map("time_to_live")) {
    table.time_to_live = {.attribute = time_to_live->Text("attribute").value_or(""),
                          .enabled = time_to_live->Flag("enabled"),
                          .filling = time_to_live->Flag("filling"),
                          .changed_ms = time_to_live->Number("changed").value_or(0)};
  }
  table.resource_policy = record.Text("resource_policy");
  table.resource_policy_revision = record.Text("policy_revision").value_or("");
  // Versions that did not count revisions have policies as old as their tables.
  if (table.resource_policy && table.resource_policy_revision.empty()) {
    table.resource_policy_revision = std::to_string(table.created_ms);
  }
  DecodeInsights(record, table);
  table.claims_id = record.Text("claims").value_or("");
  table.range_queries = record.Named<IndexStatus>("range_queries");
}

bool DecodeTags(const RecordReader& record, std::vector<Tag>& tags) {
  return record.ForEach("tags", [&](const RecordReader& element) {
    auto key = element.Text("key");
    auto value = element.Text("value");
    if (!key || !value) return false;
    tags.push_back({std::move(*key), std::move(*value)});
    return true;
  });
}

}  // namespace

Item EncodeTable(const Table& table) {
  RecordWriter record;
  record.Text("name", table.name);
  record.Text("id", table.id);
  record.Number("space", table.space);
  record.Number("created", table.created_ms);
  record.Named("status", table.status);
  record.Set("attributes", EncodeList(table.attribute_definitions, EncodeAttribute<AttributeDefinition>));
  EncodeKey(record, table.key);
  record.Set("indexes", EncodeList(table.indexes, EncodeIndex));
  record.Named("billing_mode", table.billing_mode);
  record.Number("on_demand_since", table.on_demand_since_ms);
  EncodeThroughput(record, table);
  EncodeSettings(record, table);
  EncodeRecovery(record, table);
  return record.TakeItem();
}

std::optional<Table> DecodeTable(ValueView view) {
  if (view.type() != Type::kMap) return std::nullopt;
  const RecordReader record(view.map());
  const auto name = record.Text("name");
  const auto id = record.Text("id");
  const auto space = record.Number("space");
  const auto status = record.Named<TableStatus>("status");
  const auto billing_mode = record.Named<BillingMode>("billing_mode");
  if (!name || !id || !space || !status || !billing_mode) return std::nullopt;

  Table table;
  table.name = *name;
  table.id = *id;
  table.space = static_cast<codec::SpaceId>(*space);
  table.created_ms = record.Number("created").value_or(0);
  table.status = *status;
  table.billing_mode = *billing_mode;
  table.on_demand_since_ms = record.Number("on_demand_since");
  DecodeThroughput(record, table);
  DecodeSettings(record, table);
  DecodeRecovery(record, table);
  const bool complete =
      DecodeAttributes(record, "attributes", table.attribute_definitions) && DecodeKey(record, table.key) &&
      DecodeTags(record, table.tags) && DecodeDestinations(record, table.kinesis_destinations) &&
      record.ForEach("indexes",
                     [&](const RecordReader& element) { return DecodeIndex(element, table.indexes.emplace_back()); });
  if (!complete) return std::nullopt;
  return table;
}

}  // namespace taula::catalog
