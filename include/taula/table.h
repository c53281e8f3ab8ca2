// What a table is: keys, indexes and settings, as one asks for them and as one
// is told about them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "taula/value.h"

namespace taula {

enum class KeyType { kHash, kRange };
enum class ProjectionType { kAll, kKeysOnly, kInclude };
enum class BillingMode { kProvisioned, kPayPerRequest };
enum class TableClass { kStandard, kStandardInfrequentAccess };
enum class StreamViewType { kNewImage, kOldImage, kNewAndOldImages, kKeysOnly };
enum class TableStatus { kCreating, kUpdating, kActive, kDeleting };
enum class IndexStatus { kCreating, kUpdating, kActive, kDeleting };
enum class TimeToLiveStatus { kEnabling, kEnabled, kDisabling, kDisabled };

// The type is kString, kNumber or kBinary.
struct AttributeDefinition {
  std::string name;
  Type type = Type::kString;
  friend bool operator==(const AttributeDefinition&, const AttributeDefinition&) = default;
};

struct KeySchemaElement {
  std::string name;
  KeyType type = KeyType::kHash;
  friend bool operator==(const KeySchemaElement&, const KeySchemaElement&) = default;
};

struct Projection {
  ProjectionType type = ProjectionType::kAll;
  std::vector<std::string> non_key_attributes;  // for kInclude
  friend bool operator==(const Projection&, const Projection&) = default;
};

struct Throughput {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
  friend bool operator==(const Throughput&, const Throughput&) = default;
};

// -1 stands for no limit.
struct OnDemandThroughput {
  std::optional<std::int64_t> max_read_units;
  std::optional<std::int64_t> max_write_units;
  friend bool operator==(const OnDemandThroughput&, const OnDemandThroughput&) = default;
};

struct WarmThroughput {
  std::optional<std::int64_t> read_units_per_second;
  std::optional<std::int64_t> write_units_per_second;
  friend bool operator==(const WarmThroughput&, const WarmThroughput&) = default;
};

struct WarmThroughputDescription {
  std::int64_t read_units_per_second = 0;
  std::int64_t write_units_per_second = 0;
  bool updating = false;
};

struct StreamSpecification {
  bool enabled = false;
  std::optional<StreamViewType> view_type;
};

// With `enabled` left out, naming the type KMS enables it.
struct EncryptionSpecification {
  std::optional<bool> enabled;
  std::optional<std::string> type;  // AES256 or KMS
  std::optional<std::string> kms_key;
};

// Of a table that asked for a key of its own; all others are encrypted in a
// way that is not told.
struct EncryptionDescription {
  std::string status = "ENABLED";
  std::string type = "KMS";
  std::string kms_key_arn;
};

struct Tag {
  std::string key;
  std::string value;
  friend bool operator==(const Tag&, const Tag&) = default;
};

// An index as one asks for it. Local and global ones differ in what they may
// set: throughput belongs to global ones only.
struct IndexDefinition {
  std::string name;
  std::vector<KeySchemaElement> key_schema;
  std::optional<Projection> projection;
  std::optional<Throughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
};

struct ProvisionedThroughputDescription {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
  std::int64_t decreases_today = 0;
  std::optional<double> last_increase;  // seconds since 1970
  std::optional<double> last_decrease;
};

struct IndexDescription {
  std::string name;
  std::string arn;
  std::vector<KeySchemaElement> key_schema;
  Projection projection;
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
  // Global indexes only:
  IndexStatus status = IndexStatus::kActive;
  // Only of an index that is being added to a table with items: whether it is
  // being filled by now.
  std::optional<bool> backfilling;
  std::optional<ProvisionedThroughputDescription> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughputDescription> warm_throughput;
};

// Of a table that is being made from a backup or from another table.
struct RestoreSummary {
  std::optional<std::string> source_backup_arn;
  std::optional<std::string> source_table_arn;
  double time = 0;  // of the state that it is made of, in seconds since 1970
};

// What DeleteTable answers leaves out the keys, the indexes and the time of
// creation.
struct TableDescription {
  std::string name;
  std::string arn;
  std::string id;
  TableStatus status = TableStatus::kActive;
  std::optional<double> creation_time;  // seconds since 1970
  std::vector<AttributeDefinition> attribute_definitions;
  std::vector<KeySchemaElement> key_schema;
  ProvisionedThroughputDescription provisioned_throughput;
  // Absent on a provisioned table that has never been anything else.
  std::optional<BillingMode> billing_mode;
  std::optional<double> last_on_demand_switch;
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
  std::vector<IndexDescription> local_indexes;
  std::vector<IndexDescription> global_indexes;
  std::optional<StreamSpecification> stream;
  std::optional<std::string> latest_stream_label;
  std::optional<std::string> latest_stream_arn;
  std::optional<EncryptionDescription> encryption;
  std::optional<TableClass> table_class;
  std::optional<double> last_table_class_update;
  bool deletion_protection = false;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughputDescription> warm_throughput;
  std::optional<RestoreSummary> restore;
};

}  // namespace taula
