#include "engine/index_update.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "catalog/enum_names.h"
#include "engine/index_rules.h"
#include "engine/table_description.h"
#include "engine/throughput_rules.h"

namespace taula::engine {

namespace {

std::unexpected<Error> LimitExceeded(std::string_view what) {
  return Fail(ErrorCode::kLimitExceededException, fmt::format("Subscriber limit exceeded: {}", what));
}

std::size_t GlobalCount(const catalog::Table& table) {
  return static_cast<std::size_t>(std::ranges::count(table.indexes, true, &catalog::Index::global));
}

// "Schema:[SchemaElement: key{a:S:HASH}, …]", as Amazon prints a key.
std::string SchemaText(const catalog::KeySchema& key) {
  std::vector<std::string> elements;
  const auto add = [&](const std::vector<catalog::KeyAttribute>& attributes, std::string_view key_type) {
    for (const catalog::KeyAttribute& attribute : attributes) {
      elements.push_back(
          fmt::format("SchemaElement: key{{{}:{}:{}}}", attribute.name, catalog::NameOf(attribute.type), key_type));
    }
  };
  add(key.partition, "HASH");
  add(key.sort, "RANGE");
  return fmt::format("Schema:[{}]", fmt::join(elements, ", "));
}

// A key attribute has one type throughout a table.
Result<void> CheckNotRedefined(const catalog::Table& table, const catalog::KeySchema& key) {
  const auto differs = [&](const catalog::KeyAttribute& attribute) {
    const auto found = std::ranges::find(table.attribute_definitions, attribute.name, &AttributeDefinition::name);
    return found != table.attribute_definitions.end() && found->type != attribute.type;
  };
  for (const auto* attributes : {&key.partition, &key.sort}) {
    const auto redefined = std::ranges::find_if(*attributes, differs);
    if (redefined == attributes->end()) continue;
    const auto by_user = std::ranges::find_if(
        table.indexes, [&](const catalog::Index& index) { return index.key.Names(redefined->name); });
    const bool in_table = table.key.Names(redefined->name) || by_user == table.indexes.end();
    return InvalidParameter(fmt::format(
        "Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. "
        "Existing schema: {} New schema: {}",
        SchemaText(in_table ? table.key : by_user->key), SchemaText(key)));
  }
  return {};
}

Result<void> CheckNewIndex(const UpdateTableRequest& request, const IndexDefinition& index, BillingMode mode,
                           const catalog::Table& table) {
  if (table.FindIndex(index.name) != nullptr) {
    return ValidationError("Attempting to create an index which already exists");
  }
  if (!request.attribute_definitions || request.attribute_definitions->empty()) {
    return InvalidParameter(fmt::format("AttributeDefinitions is not specified for index: {}", index.name));
  }
  if (auto defined = CheckDefined(index.key_schema, *request.attribute_definitions); !defined) return defined;
  if (auto key = CheckGlobalIndexKey(index.key_schema); !key) return key;
  if (auto projection = CheckProjection(index.projection); !projection) return projection;
  if (mode == BillingMode::kProvisioned && !index.provisioned_throughput) {
    return InvalidParameter(
        fmt::format("Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: {}", index.name));
  }
  if (mode == BillingMode::kPayPerRequest && index.provisioned_throughput) {
    return InvalidParameter(
        fmt::format("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: "
                    "{} when BillingMode is PAY_PER_REQUEST",
                    index.name));
  }
  if (index.provisioned_throughput) {
    if (auto bounds = CheckBounds(*index.provisioned_throughput); !bounds) return bounds;
  }
  auto on_demand = CheckNewOnDemand(index.on_demand_throughput, mode, index.name);
  if (!on_demand) return on_demand;
  return CheckNewWarm(index.warm_throughput, mode, index.provisioned_throughput, index.name);
}

Result<void> CheckRoomFor(const IndexDefinition& index, const catalog::Table& table, std::string_view region) {
  if (GlobalCount(table) >= base::kGlobalIndexesMax) {
    return LimitExceeded(
        fmt::format("Number of global secondary indexes exceeds per-table limit of {}", base::kGlobalIndexesMax));
  }
  std::size_t projected = ProjectedByName(index.projection);
  for (const catalog::Index& other : table.indexes) projected += other.projection.non_key_attributes.size();
  if (auto total = CheckProjectedTotal(projected); !total) return total;
  if (!index.provisioned_throughput) return {};
  return CheckQuota(*index.provisioned_throughput, index.name, region);
}

// The definition has passed CheckNewIndex.
Result<void> Create(const UpdateTableRequest& request, const IndexDefinition& definition, const UpdateContext& context,
                    BillingMode mode, catalog::Table& table) {
  catalog::Index index;
  index.name = definition.name;
  index.key = MakeKey(definition.key_schema, *request.attribute_definitions);
  if (auto same_types = CheckNotRedefined(table, index.key); !same_types) return same_types;
  if (auto room = CheckRoomFor(definition, table, context.region); !room) return room;
  const auto space = context.new_space();
  if (!space) return std::unexpected(space.error());
  index.space = *space;
  index.projection = MakeProjection(definition.projection);
  index.status = IndexStatus::kCreating;
  SetNewThroughput(definition, mode, index);
  table.indexes.push_back(std::move(index));

  for (const AttributeDefinition& attribute : *request.attribute_definitions) {
    const auto known = std::ranges::find(table.attribute_definitions, attribute.name, &AttributeDefinition::name);
    if (known == table.attribute_definitions.end()) table.attribute_definitions.push_back(attribute);
  }
  return {};
}

// The global index of this name; `what` is "update" or "delete".
Result<std::vector<catalog::Index>::iterator> FindGlobal(catalog::Table& table, const std::string& name,
                                                         std::string_view what) {
  const auto found = std::ranges::find(table.indexes, name, &catalog::Index::name);
  if (found == table.indexes.end()) {
    return Fail(ErrorCode::kResourceNotFoundException,
                fmt::format("Requested resource not found: Index {} for table {}", name, table.name));
  }
  if (!found->global) {
    return ValidationError(fmt::format("Cannot {} an index that is not a GlobalSecondaryIndex: {}", what, name));
  }
  return found;
}

Result<void> ChangeProvisioned(const UpdateGlobalIndex& change, const UpdateContext& context, bool switched_mode,
                               catalog::Index& index) {
  if (!change.provisioned_throughput) return {};
  const Throughput& to = *change.provisioned_throughput;
  if (auto bounds = CheckBounds(to); !bounds) return bounds;
  if (!switched_mode) {
    auto changes = CheckThroughputChanges(index.provisioned_throughput, to, index.name);
    if (!changes) return changes;
  }
  if (auto quota = CheckQuota(to, index.name, context.region); !quota) return quota;
  SetProvisioned(index.provisioned_throughput, to, context.now_ms);
  index.warm_throughput = Raise(index.warm_throughput, to);
  return {};
}

Result<void> Change(const UpdateGlobalIndex& change, const UpdateContext& context, BillingMode mode,
                    catalog::Table& table) {
  auto found = FindGlobal(table, change.name, "update");
  if (!found) return std::unexpected(found.error());
  catalog::Index& index = **found;
  const bool other_settings = change.on_demand_throughput || change.warm_throughput;
  if (mode == BillingMode::kPayPerRequest && (change.provisioned_throughput || !other_settings)) {
    return InvalidParameter(
        fmt::format("The only Updates for index: {} when TableThroughputMode is PAY_PER_REQUEST can be to "
                    "OnDemandThroughput, WarmThroughput",
                    index.name));
  }
  if (mode == BillingMode::kProvisioned && !change.provisioned_throughput && !other_settings) {
    return InvalidParameter(fmt::format("ProvisionedThroughput must be specified for index: {}", index.name));
  }
  if (change.on_demand_throughput) {
    auto fits = CheckChangedOnDemand(*change.on_demand_throughput, mode, index.name);
    if (!fits) return fits;
    MergeOnDemand(index.on_demand_throughput, *change.on_demand_throughput);
  }
  if (change.warm_throughput) {
    auto grows = CheckChangedWarm(*change.warm_throughput, index.warm_throughput, index.name);
    if (!grows) return grows;
    index.warm_throughput = Raise(index.warm_throughput, *change.warm_throughput);
  }
  return ChangeProvisioned(change, context, mode != table.billing_mode, index);
}

// Attributes that no key uses any more lose their definition.
void DropUnusedDefinitions(catalog::Table& table) {
  std::erase_if(table.attribute_definitions, [&](const AttributeDefinition& definition) {
    return !table.key.Names(definition.name) && std::ranges::none_of(table.indexes, [&](const catalog::Index& index) {
      return index.key.Names(definition.name);
    });
  });
}

// One index at a time is created or deleted. One that is being filled may be
// given up.
Result<void> CheckOneAtATime(const UpdateTableRequest& request, const catalog::Table& table) {
  int changes = 0;
  std::string_view deleted;
  for (const GlobalIndexUpdate& update : request.global_index_updates) {
    if (std::holds_alternative<UpdateGlobalIndex>(update)) continue;
    ++changes;
    if (std::holds_alternative<DeleteGlobalIndex>(update)) deleted = NameOf(update);
  }
  if (changes == 0) return {};
  const bool other_under_way = std::ranges::any_of(table.indexes, [&](const catalog::Index& index) {
    return index.status == IndexStatus::kCreating && index.name != deleted;
  });
  if (changes == 1 && !other_under_way) return {};
  return LimitExceeded("Only 1 online index can be created or deleted simultaneously per table");
}

}  // namespace

Result<void> ApplyIndexUpdates(const UpdateTableRequest& request, const UpdateContext& context, BillingMode mode,
                               catalog::Table& table) {
  for (const GlobalIndexUpdate& update : request.global_index_updates) {
    // What is wrong with the index itself comes before how many there are.
    if (const auto* removal = std::get_if<DeleteGlobalIndex>(&update)) {
      if (auto found = FindGlobal(table, removal->name, "delete"); !found) return std::unexpected(found.error());
    } else if (const auto* creation = std::get_if<CreateGlobalIndex>(&update)) {
      if (auto checked = CheckNewIndex(request, creation->index, mode, table); !checked) return checked;
    }
  }
  if (auto one = CheckOneAtATime(request, table); !one) return one;
  for (const GlobalIndexUpdate& update : request.global_index_updates) {
    Result<void> applied;
    if (const auto* creation = std::get_if<CreateGlobalIndex>(&update)) {
      applied = Create(request, creation->index, context, mode, table);
    } else if (const auto* change = std::get_if<UpdateGlobalIndex>(&update)) {
      applied = Change(*change, context, mode, table);
    } else {
      std::erase_if(table.indexes, [&](const catalog::Index& index) { return index.name == NameOf(update); });
    }
    if (!applied) return applied;
  }
  DropUnusedDefinitions(table);
  std::ranges::sort(table.attribute_definitions, {}, &AttributeDefinition::name);
  return {};
}

void SetProvisioned(ProvisionedThroughputDescription& provisioned, const Throughput& to, std::int64_t now_ms) {
  if (to.read_units > provisioned.read_units || to.write_units > provisioned.write_units) {
    provisioned.last_increase = Seconds(now_ms);
  }
  if (to.read_units < provisioned.read_units || to.write_units < provisioned.write_units) {
    provisioned.decreases_today = DecreasesToday(provisioned, now_ms) + 1;
    provisioned.last_decrease = Seconds(now_ms);
  }
  provisioned.read_units = to.read_units;
  provisioned.write_units = to.write_units;
}

void MergeOnDemand(std::optional<OnDemandThroughput>& limits, const OnDemandThroughput& change) {
  OnDemandThroughput merged = limits.value_or(OnDemandThroughput{});
  const auto merge = [](std::optional<std::int64_t>& limit, const std::optional<std::int64_t>& to) {
    if (to) limit = *to == -1 ? std::nullopt : to;
  };
  merge(merged.max_read_units, change.max_read_units);
  merge(merged.max_write_units, change.max_write_units);
  limits = merged == OnDemandThroughput{} ? std::nullopt : std::optional(merged);
}

Result<void> CheckThroughputChanges(const ProvisionedThroughputDescription& current, const Throughput& requested,
                                    std::string_view index) {
  if (current.read_units != requested.read_units || current.write_units != requested.write_units) return {};
  const std::string owner = index.empty() ? "the table" : fmt::format("the index {}", index);
  const std::string short_owner = index.empty() ? "the table" : fmt::format("index {}", index);
  return ValidationError(fmt::format(
      "The provisioned throughput for {0} will not change. The requested value equals the current value. Current "
      "ReadCapacityUnits provisioned for {1}: {2}. Requested ReadCapacityUnits: {2}. Current WriteCapacityUnits "
      "provisioned for {1}: {3}. Requested WriteCapacityUnits: {3}. Refer to the Amazon DynamoDB Developer Guide for "
      "current limits and how to request higher limits.",
      owner, short_owner, current.read_units, current.write_units));
}

}  // namespace taula::engine
