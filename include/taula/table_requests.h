// The operations on tables: what each takes and what it answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "taula/table.h"

namespace taula {

struct CreateTableRequest {
  std::string table_name;
  std::vector<AttributeDefinition> attribute_definitions;
  std::vector<KeySchemaElement> key_schema;
  std::vector<IndexDefinition> local_indexes;
  std::vector<IndexDefinition> global_indexes;
  std::optional<BillingMode> billing_mode;
  std::optional<Throughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
  std::optional<StreamSpecification> stream;
  std::optional<EncryptionSpecification> encryption;
  std::optional<TableClass> table_class;
  std::optional<bool> deletion_protection;
  std::vector<Tag> tags;
  std::optional<std::string> resource_policy;
};

// A change to one global index.
struct CreateGlobalIndex {
  IndexDefinition index;
};
struct UpdateGlobalIndex {
  std::string name;
  std::optional<Throughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
};
struct DeleteGlobalIndex {
  std::string name;
};
using GlobalIndexUpdate = std::variant<CreateGlobalIndex, UpdateGlobalIndex, DeleteGlobalIndex>;

// The index that it is about.
[[nodiscard]] inline const std::string& NameOf(const GlobalIndexUpdate& update) {
  if (const auto* create = std::get_if<CreateGlobalIndex>(&update)) return create->index.name;
  if (const auto* change = std::get_if<UpdateGlobalIndex>(&update)) return change->name;
  return std::get<DeleteGlobalIndex>(update).name;
}

struct UpdateTableRequest {
  std::string table_name;
  std::optional<std::vector<AttributeDefinition>> attribute_definitions;
  std::optional<BillingMode> billing_mode;
  std::optional<Throughput> provisioned_throughput;
  std::vector<GlobalIndexUpdate> global_index_updates;
  std::optional<StreamSpecification> stream;
  std::optional<EncryptionSpecification> encryption;
  std::optional<TableClass> table_class;
  std::optional<bool> deletion_protection;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
};

struct ListTablesRequest {
  std::optional<std::string> exclusive_start_table_name;
  std::optional<std::int64_t> limit;
};
struct ListTablesResponse {
  std::vector<std::string> table_names;
  std::optional<std::string> last_evaluated_table_name;
};

struct TimeToLiveSpecification {
  std::string attribute_name;
  bool enabled = false;
};
struct TimeToLiveDescription {
  TimeToLiveStatus status = TimeToLiveStatus::kDisabled;
  std::optional<std::string> attribute_name;
};

struct ListTagsResponse {
  std::vector<Tag> tags;
  std::optional<std::string> next_token;
};

struct AccountLimits {
  std::int64_t account_read_units_max = 80000;
  std::int64_t account_write_units_max = 80000;
  std::int64_t table_read_units_max = 40000;
  std::int64_t table_write_units_max = 40000;
};

}  // namespace taula
