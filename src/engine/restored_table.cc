#include "engine/restored_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/encryption_rules.h"
#include "engine/table_arn.h"
#include "engine/throughput_rules.h"

namespace taula::engine {
namespace {

using Definitions = std::optional<std::vector<IndexDefinition>>;

bool Names(const std::vector<IndexDefinition>& definitions, std::string_view name) {
  return std::ranges::any_of(definitions, [&](const IndexDefinition& each) { return each.name == name; });
}

Result<void> CheckIndexes(const catalog::Table& source, const Definitions& wanted, bool global) {
  if (!wanted) return {};
  for (const IndexDefinition& definition : *wanted) {
    const catalog::Index* const index = source.FindIndex(definition.name);
    if (index == nullptr || index->global != global) {
      return ValidationError(fmt::format(
          "Index {} does not match a secondary index that existed in the source table and cannot be created "
          "during the restore operation",
          definition.name));
    }
  }
  return {};
}

// Those of the source that are wanted, with their throughput if it is given.
std::vector<catalog::Index> KeptIndexes(const catalog::Table& source, const RestoreRequest& request) {
  std::vector<catalog::Index> kept;
  for (const catalog::Index& index : source.indexes) {
    const Definitions& wanted = index.global ? request.global_indexes : request.local_indexes;
    if (wanted && !Names(*wanted, index.name)) continue;
    catalog::Index& copy = kept.emplace_back(index);
    copy.status = IndexStatus::kActive;
    copy.contributor_insights.reset();
    if (!wanted) continue;
    const auto definition = std::ranges::find(*wanted, index.name, &IndexDefinition::name);
    if (definition->provisioned_throughput) {
      copy.provisioned_throughput.read_units = definition->provisioned_throughput->read_units;
      copy.provisioned_throughput.write_units = definition->provisioned_throughput->write_units;
    }
    if (definition->on_demand_throughput) copy.on_demand_throughput = definition->on_demand_throughput;
  }
  return kept;
}

Result<void> SetThroughput(const RestoreRequest& request, catalog::Table& table) {
  const BillingMode mode = request.billing_mode.value_or(table.billing_mode);
  if (request.provisioned_throughput && mode != BillingMode::kProvisioned) {
    return ValidationError("Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED");
  }
  if (request.billing_mode == BillingMode::kProvisioned && !request.provisioned_throughput) {
    return ValidationError("Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED");
  }
  table.billing_mode = mode;
  if (mode == BillingMode::kPayPerRequest) {
    table.provisioned_throughput = {};
    for (catalog::Index& index : table.indexes) index.provisioned_throughput = {};
  } else {
    table.on_demand_throughput.reset();
  }
  if (request.provisioned_throughput) {
    table.provisioned_throughput = {};
    table.provisioned_throughput.read_units = request.provisioned_throughput->read_units;
    table.provisioned_throughput.write_units = request.provisioned_throughput->write_units;
  }
  if (request.on_demand_throughput) {
    if (auto fits = CheckChangedOnDemand(*request.on_demand_throughput, mode, ""); !fits) return fits;
    table.on_demand_throughput = request.on_demand_throughput;
  }
  return {};
}

}  // namespace

Result<catalog::Table> RestoredTable(const catalog::Table& source, const RestoreRequest& request,
                                     std::string_view region, std::string_view account) {
  if (auto global = CheckIndexes(source, request.global_indexes, true); !global) return std::unexpected(global.error());
  if (auto local = CheckIndexes(source, request.local_indexes, false); !local) return std::unexpected(local.error());
  catalog::Table table;
  table.key = source.key;
  table.indexes = KeptIndexes(source, request);
  for (const AttributeDefinition& attribute : source.attribute_definitions) {
    const bool used = table.key.Names(attribute.name) ||
                      std::ranges::any_of(table.indexes,
                                          [&](const catalog::Index& index) { return index.key.Names(attribute.name); });
    if (used) table.attribute_definitions.push_back(attribute);
  }
  table.billing_mode = source.billing_mode;
  table.provisioned_throughput = source.provisioned_throughput;
  table.on_demand_throughput = source.on_demand_throughput;
  table.warm_throughput = source.warm_throughput;
  table.kms_key_arn = source.kms_key_arn;
  if (request.encryption) {
    table.kms_key_arn.reset();
    if (AsksForKey(*request.encryption)) table.kms_key_arn = KmsKeyArn(region, account, request.encryption->kms_key);
  }
  if (auto set = SetThroughput(request, table); !set) return std::unexpected(set.error());
  return table;
}

}  // namespace taula::engine
