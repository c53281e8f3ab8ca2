#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "catalog/enum_names.h"
#include "engine/encryption_rules.h"
#include "engine/index_rules.h"
#include "engine/policy_document.h"
#include "engine/table_rules.h"
#include "engine/tag_rules.h"
#include "engine/throughput_rules.h"

namespace taula::engine {

namespace {

BillingMode ModeOf(const CreateTableRequest& request) {
  return request.billing_mode.value_or(BillingMode::kProvisioned);
}

Result<void> CheckBilling(const CreateTableRequest& request) {
  if (ModeOf(request) == BillingMode::kPayPerRequest) {
    if (!request.provisioned_throughput) return {};
    return InvalidParameter(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST");
  }
  if (!request.provisioned_throughput) {
    return InvalidParameter(
        "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED");
  }
  return CheckBounds(*request.provisioned_throughput);
}

// The limit of two elements is reported like the constraint of a member.
Result<void> CheckKeyLength(const std::vector<KeySchemaElement>& key, std::string_view path) {
  if (!key.empty() && key.size() <= 2) return {};
  std::vector<std::string> elements;
  for (const KeySchemaElement& element : key) {
    elements.push_back(
        fmt::format("KeySchemaElement(attributeName={}, keyType={})", element.name, catalog::NameOf(element.type)));
  }
  return ValidationError(
      fmt::format("1 validation error detected: Value '[{}]' at '{}' failed to satisfy constraint: Member must have "
                  "length {} than or equal to {}",
                  fmt::join(elements, ", "), path, key.empty() ? "greater" : "less", key.empty() ? 1 : 2));
}

Result<void> CheckKeyLengths(const CreateTableRequest& request) {
  if (auto table = CheckKeyLength(request.key_schema, "keySchema"); !table) return table;
  for (std::size_t i = 0; i < request.local_indexes.size(); ++i) {
    auto index = CheckKeyLength(request.local_indexes[i].key_schema,
                                fmt::format("localSecondaryIndexes.{}.member.keySchema", i + 1));
    if (!index) return index;
  }
  return {};
}

Result<void> CheckTableKey(const CreateTableRequest& request, bool has_indexes) {
  const std::vector<AttributeDefinition>& definitions = request.attribute_definitions;
  std::set<std::string_view> names;
  for (const AttributeDefinition& definition : definitions) {
    if (!names.insert(definition.name).second) {
      return ValidationError(fmt::format("Attribute Name is duplicated: {}", definition.name));
    }
  }
  if (request.key_schema.size() > definitions.size()) {
    return ValidationError("Invalid KeySchema: Some index key attribute have no definition");
  }
  if (auto defined = CheckDefined(request.key_schema, definitions); !defined) return defined;
  if (auto key = CheckPlainKey(request.key_schema); !key) return key;
  if (!has_indexes && request.key_schema.size() != definitions.size()) {
    return InvalidParameter(
        "Number of attributes in KeySchema does not exactly match number of attributes defined in "
        "AttributeDefinitions");
  }
  return {};
}

Result<void> CheckAllDefinitionsUsed(const CreateTableRequest& request) {
  std::vector<std::string_view> used;
  const auto use = [&used](const std::vector<KeySchemaElement>& key) {
    for (const KeySchemaElement& element : key) {
      if (std::ranges::find(used, element.name) == used.end()) used.push_back(element.name);
    }
  };
  use(request.key_schema);
  for (const IndexDefinition& index : request.local_indexes) use(index.key_schema);
  for (const IndexDefinition& index : request.global_indexes) use(index.key_schema);
  if (used.size() == request.attribute_definitions.size()) return {};
  std::vector<std::string_view> defined;
  for (const AttributeDefinition& definition : request.attribute_definitions) defined.push_back(definition.name);
  return InvalidParameter(
      fmt::format("Some AttributeDefinitions are not used. AttributeDefinitions: [{}], keys used: "
                  "[{}]",
                  fmt::join(defined, ", "), fmt::join(used, ", ")));
}

Result<void> CheckIndexDefinitions(const CreateTableRequest& request, const CreateTableFaults& faults) {
  if (faults.empty_local_indexes) return InvalidParameter("List of LocalSecondaryIndexes is empty");
  if (faults.empty_global_indexes) return InvalidParameter("List of GlobalSecondaryIndexes is empty");
  if (!request.local_indexes.empty() && request.key_schema.size() != 2) {
    return InvalidParameter(
        "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex");
  }
  for (const auto* indexes : {&request.local_indexes, &request.global_indexes}) {
    for (const IndexDefinition& index : *indexes) {
      auto defined = CheckDefined(index.key_schema, request.attribute_definitions);
      if (!defined) return defined;
    }
  }
  return CheckAllDefinitionsUsed(request);
}

Result<void> CheckUniqueName(const std::string& name, std::set<std::string_view>& names) {
  if (names.insert(name).second) return {};
  return InvalidParameter(fmt::format("Duplicate index name: {}", name));
}

Result<void> CheckLocalIndex(const CreateTableRequest& request, const IndexDefinition& index) {
  if (auto key = CheckPlainKey(index.key_schema); !key) return key;
  if (index.key_schema.size() != 2) {
    return InvalidParameter(fmt::format("Index KeySchema does not have a range key for index: {}", index.name));
  }
  const std::string& index_hash = index.key_schema[0].name;
  const std::string& table_hash = request.key_schema[0].name;
  if (index_hash != table_hash) {
    return InvalidParameter(
        fmt::format("Index KeySchema does not have the same leading hash key as table KeySchema for index: {}. index "
                    "hash key: {}, table hash key: {}",
                    index.name, index_hash, table_hash));
  }
  return CheckProjection(index.projection);
}

Result<void> CheckGlobalIndexThroughput(const CreateTableRequest& request, const IndexDefinition& index) {
  const BillingMode mode = ModeOf(request);
  if (mode == BillingMode::kPayPerRequest && index.provisioned_throughput) {
    return InvalidParameter(fmt::format(
        "ProvisionedThroughput should not be specified for index: {} when BillingMode is PAY_PER_REQUEST", index.name));
  }
  if (mode == BillingMode::kProvisioned && !index.provisioned_throughput) {
    return InvalidParameter(fmt::format("ProvisionedThroughput is not specified for index: {}", index.name));
  }
  if (index.provisioned_throughput) {
    if (auto bounds = CheckBounds(*index.provisioned_throughput); !bounds) return bounds;
  }
  auto on_demand = CheckNewOnDemand(index.on_demand_throughput, mode, index.name);
  if (!on_demand) return on_demand;
  return CheckNewWarm(index.warm_throughput, mode, index.provisioned_throughput, index.name);
}

Result<void> CheckIndexes(const CreateTableRequest& request) {
  std::set<std::string_view> names;
  std::size_t projected = 0;
  for (const IndexDefinition& index : request.local_indexes) {
    if (auto local = CheckLocalIndex(request, index); !local) return local;
    if (auto unique = CheckUniqueName(index.name, names); !unique) return unique;
    projected += ProjectedByName(index.projection);
  }
  if (request.local_indexes.size() > base::kLocalIndexesMax) {
    return InvalidParameter(
        fmt::format("Number of LocalSecondaryIndexes exceeds per-table limit of {}", base::kLocalIndexesMax));
  }
  for (const IndexDefinition& index : request.global_indexes) {
    if (auto key = CheckGlobalIndexKey(index.key_schema); !key) return key;
    if (auto projection = CheckProjection(index.projection); !projection) return projection;
    if (auto throughput = CheckGlobalIndexThroughput(request, index); !throughput) return throughput;
    if (auto unique = CheckUniqueName(index.name, names); !unique) return unique;
    projected += ProjectedByName(index.projection);
  }
  if (request.global_indexes.size() > base::kGlobalIndexesMax) {
    return InvalidParameter(
        fmt::format("GlobalSecondaryIndex count exceeds the per-table limit of {}", base::kGlobalIndexesMax));
  }
  return CheckProjectedTotal(projected);
}

Result<void> CheckStream(const CreateTableRequest& request) {
  if (!request.stream) return {};
  if (request.stream->enabled && !request.stream->view_type) {
    return InvalidParameter("Table is being created with a stream enabled, UpdateViewType is required");
  }
  if (!request.stream->enabled && request.stream->view_type) {
    return InvalidParameter("Table is being created with a stream disabled, UpdateViewType should not be specified");
  }
  return {};
}

Result<void> CheckSettings(const CreateTableRequest& request, const CreateTableFaults& faults) {
  const BillingMode mode = ModeOf(request);
  if (auto on_demand = CheckNewOnDemand(request.on_demand_throughput, mode, ""); !on_demand) return on_demand;
  auto warm = CheckNewWarm(request.warm_throughput, mode, request.provisioned_throughput, "");
  if (!warm) return warm;
  if (auto stream = CheckStream(request); !stream) return stream;
  if (auto encryption = CheckEncryption(request.encryption); !encryption) return encryption;
  if (faults.unknown_table_class) return UnknownTableClass();
  if (faults.invalid_tags) return std::unexpected(*faults.invalid_tags);
  if (auto tags = CheckTags(request.tags); !tags) return tags;
  if (request.resource_policy) {
    if (auto policy = ReadPolicy(*request.resource_policy, PolicyTarget::kTable); !policy) {
      return std::unexpected(policy.error());
    }
  }
  return {};
}

}  // namespace

Result<void> CheckCreateTable(const CreateTableRequest& request, const CreateTableFaults& faults) {
  const bool has_indexes = faults.empty_local_indexes || faults.empty_global_indexes ||
                           !request.local_indexes.empty() || !request.global_indexes.empty();
  if (auto billing = CheckBilling(request); !billing) return billing;
  if (auto lengths = CheckKeyLengths(request); !lengths) return lengths;
  if (auto key = CheckTableKey(request, has_indexes); !key) return key;
  if (has_indexes) {
    if (auto definitions = CheckIndexDefinitions(request, faults); !definitions) return definitions;
    if (auto indexes = CheckIndexes(request); !indexes) return indexes;
  }
  return CheckSettings(request, faults);
}

std::unexpected<Error> UnknownTableClass() {
  return ValidationError(
      "Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, "
      "STANDARD_INFREQUENT_ACCESS].");
}

}  // namespace taula::engine
