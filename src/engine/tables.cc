#include "engine/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/random_id.h"
#include "engine/encryption_rules.h"
#include "engine/index_rules.h"
#include "engine/index_update.h"
#include "engine/policy_document.h"
#include "engine/table_arn.h"
#include "engine/table_background.h"
#include "engine/table_description.h"
#include "engine/table_update.h"
#include "engine/tag_rules.h"
#include "engine/throughput_rules.h"

namespace taula::engine {

namespace {

// A table that is being restored cannot be changed.
Result<void> CheckSettled(const catalog::Table& table) {
  if (table.status != TableStatus::kCreating) return {};
  return InUse(fmt::format("Table is being created: {}", table.name));
}

Result<void> CheckQuotas(const CreateTableRequest& request, std::string_view region) {
  if (request.provisioned_throughput) {
    if (auto table = CheckQuota(*request.provisioned_throughput, "", region); !table) return table;
  }
  for (const IndexDefinition& index : request.global_indexes) {
    if (!index.provisioned_throughput) continue;
    if (auto quota = CheckQuota(*index.provisioned_throughput, index.name, region); !quota) return quota;
  }
  return {};
}

catalog::Index MakeIndex(const CreateTableRequest& request, const IndexDefinition& definition, bool global,
                         codec::SpaceId space) {
  catalog::Index index;
  index.name = definition.name;
  index.space = space;
  index.global = global;
  index.key = MakeKey(definition.key_schema, request.attribute_definitions);
  index.projection = MakeProjection(definition.projection);
  if (global) SetNewThroughput(definition, request.billing_mode.value_or(BillingMode::kProvisioned), index);
  return index;
}

void SetSettings(const CreateTableRequest& request, std::string_view region, std::string_view account,
                 catalog::Table& table) {
  table.billing_mode = request.billing_mode.value_or(BillingMode::kProvisioned);
  if (table.billing_mode == BillingMode::kPayPerRequest) table.on_demand_since_ms = table.created_ms;
  SetNewThroughput(request, table.billing_mode, table);
  if (request.stream && request.stream->enabled) {
    table.stream = request.stream;
    table.stream_label = StreamLabel(table.created_ms);
    table.stream_since_ms = table.created_ms;
  }
  if (request.encryption && AsksForKey(*request.encryption)) {
    table.kms_key_arn = KmsKeyArn(region, account, request.encryption->kms_key);
  }
  if (request.table_class == TableClass::kStandardInfrequentAccess) table.table_class = request.table_class;
  table.deletion_protection = request.deletion_protection.value_or(false);
  table.tags = request.tags;
  if (!request.resource_policy) return;
  if (const auto policy = ReadPolicy(*request.resource_policy, PolicyTarget::kTable)) {
    table.resource_policy = PolicyText(*policy);
    table.resource_policy_revision = std::to_string(table.created_ms);
  }
}

// `space` is the first of as many as the table and its indexes need.
catalog::Table MakeTable(const CreateTableRequest& request, codec::SpaceId space, std::int64_t now_ms) {
  catalog::Table table;
  table.name = request.table_name;
  table.id = base::UuidV4();
  table.space = space++;
  table.created_ms = now_ms;
  table.attribute_definitions = request.attribute_definitions;
  std::ranges::sort(table.attribute_definitions, {}, &AttributeDefinition::name);
  table.key = MakeKey(request.key_schema, request.attribute_definitions);
  for (const IndexDefinition& index : request.local_indexes) {
    table.indexes.push_back(MakeIndex(request, index, false, space++));
  }
  for (const IndexDefinition& index : request.global_indexes) {
    table.indexes.push_back(MakeIndex(request, index, true, space++));
  }
  return table;
}

// The table as it is shown while it is being created.
TableDescription DescribeCreating(const CreateTableRequest& request, TableDescription description) {
  description.status = TableStatus::kCreating;
  description.last_on_demand_switch.reset();
  for (IndexDescription& index : description.global_indexes) {
    index.status = IndexStatus::kCreating;
    index.warm_throughput.reset();
  }
  if (request.warm_throughput && *request.warm_throughput != WarmThroughput{}) {
    description.warm_throughput->updating = true;
  } else {
    description.warm_throughput.reset();
  }
  return description;
}

}  // namespace

Tables::Tables(storage::Store& store, catalog::Catalog& catalog, std::string region, std::string account,
               const base::Clock& clock)
    : store_(store),
      catalog_(catalog),
      region_(std::move(region)),
      account_(std::move(account)),
      clock_(clock),
      background_(std::make_unique<TableBackground>(store, catalog, clock)) {}

Tables::~Tables() = default;

Result<void> Tables::GiveStreamsTheirSpaces() {
  for (const catalog::TablePtr& table : catalog_.All()) {
    if (!table->stream || table->stream_space != 0) continue;
    const auto space = catalog_.NewSpaces(1);
    if (!space) return std::unexpected(space.error());
    const auto changed = catalog_.Change(table->name, [&](catalog::Table& edited) -> Result<void> {
      edited.stream_space = *space;
      edited.stream_since_ms = clock_.NowMs();
      return {};
    });
    if (!changed) return std::unexpected(changed.error());
  }
  return {};
}

Result<TableDescription> Tables::Create(const CreateTableRequest& request, const CreateTableFaults& faults) {
  if (auto checked = CheckCreateTable(request, faults); !checked) return std::unexpected(checked.error());
  if (catalog_.Find(request.table_name) != nullptr) {
    return Fail(ErrorCode::kResourceInUseException, "Table already exists: " + request.table_name);
  }
  auto table = Plan(request);
  if (!table) return std::unexpected(table.error());
  const auto added = catalog_.Add(*std::move(table));
  if (!added) return std::unexpected(added.error());
  return DescribeCreating(request, Describe(**added));
}

Result<catalog::Table> Tables::Plan(const CreateTableRequest& request) {
  if (auto quotas = CheckQuotas(request, region_); !quotas) return std::unexpected(quotas.error());
  const std::size_t indexes = request.local_indexes.size() + request.global_indexes.size();
  const auto space = catalog_.NewSpaces(1 + indexes + 1);
  if (!space) return std::unexpected(space.error());
  catalog::Table table = MakeTable(request, *space, clock_.NowMs());
  SetSettings(request, region_, account_, table);
  if (table.stream) table.stream_space = *space + 1 + static_cast<codec::SpaceId>(indexes);
  return table;
}

Result<TableDescription> Tables::Update(const UpdateTableRequest& request, const UpdateTableFaults& faults) {
  if (auto checked = CheckUpdateTable(request, faults); !checked) return std::unexpected(checked.error());
  if (auto checked = CheckIndexUpdates(request); !checked) return std::unexpected(checked.error());
  const UpdateContext context{region_, account_, clock_.NowMs(), [this] { return catalog_.NewSpaces(1); }};
  TableDescription before;
  std::vector<codec::SpaceId> old_spaces;
  codec::SpaceId old_stream = 0;
  const auto changed = catalog_.Change(request.table_name, [&](catalog::Table& table) -> Result<void> {
    if (auto settled = CheckSettled(table); !settled) return settled;
    before = Describe(table);
    for (const catalog::Index& index : table.indexes) old_spaces.push_back(index.space);
    old_stream = table.stream_space;
    return ApplyUpdate(request, context, table);
  });
  if (!changed) return std::unexpected(changed.error());

  const catalog::Table& table = **changed;
  for (const catalog::Index& index : table.indexes) {
    if (std::erase(old_spaces, index.space) == 0) background_->Fill({table.name, table.id, index.space});
  }
  if (!old_spaces.empty()) background_->Erase(table.id, std::move(old_spaces));
  if (old_stream != 0 && old_stream != table.stream_space) background_->EndStream(table.id, old_stream);
  return DescribeUpdating(request, before, Describe(table));
}

Result<TableDescription> Tables::Delete(std::string_view name) {
  const auto removed = catalog_.Remove(name, [](const catalog::Table& table) -> Result<void> {
    const bool index_under_way = std::ranges::any_of(
        table.indexes, [](const catalog::Index& index) { return index.status != IndexStatus::kActive; });
    if (auto settled = CheckSettled(table); !settled) return settled;
    if (index_under_way) return InUse("Cannot delete table while indexes are being created, updated, or deleted.");
    if (table.deletion_protection) {
      return ValidationError(
          "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection "
          "first.");
    }
    return {};
  });
  if (!removed) return std::unexpected(removed.error());
  const catalog::Table& table = **removed;
  TableDescription description = DescribeDeleted(Describe(table));
  std::vector<codec::SpaceId> spaces = {table.space};
  for (const catalog::Index& index : table.indexes) spaces.push_back(index.space);
  if (table.recovery) spaces.push_back(table.recovery->space);
  background_->Erase(table.id, std::move(spaces));
  if (table.stream_space != 0) background_->EndStream(table.id, table.stream_space);
  return description;
}

Result<TableDescription> Tables::Describe(std::string_view name) const {
  const catalog::TablePtr table = catalog_.Find(name);
  if (table == nullptr) return TableNotFound(name);
  return Describe(*table);
}

TableDescription Tables::Describe(const catalog::Table& table) const {
  TableDescription description = DescribeTable(table, Arn(table.name), store_, clock_.NowMs());
  // Amazon tells where a table came from only as long as it is on its way.
  if (table.restore && table.restore->in_progress) {
    const std::string source = Arn(table.restore->source_table_name);
    description.restore = {
        .source_backup_arn = {}, .source_table_arn = source, .time = Seconds(table.restore->time_ms)};
    if (!table.restore->backup_id.empty()) {
      description.restore->source_backup_arn = fmt::format("{}/backup/{}", source, table.restore->backup_id);
    }
  }
  return description;
}

ListTablesResponse Tables::List(const ListTablesRequest& request) const {
  constexpr std::size_t kLimitMax = 100;
  const auto limit =
      static_cast<std::size_t>(std::clamp<std::int64_t>(request.limit.value_or(kLimitMax), 1, kLimitMax));
  ListTablesResponse response;
  // One more than asked for tells whether there are more.
  response.table_names = catalog_.Names(request.exclusive_start_table_name.value_or(""), limit + 1);
  if (response.table_names.size() > limit) {
    response.table_names.pop_back();
    response.last_evaluated_table_name = response.table_names.back();
  }
  return response;
}

Result<TableDescription> Tables::BeginRestore(catalog::Table table) {
  const auto added = catalog_.Add(std::move(table));
  if (!added) return std::unexpected(added.error());
  TableDescription description = Describe(**added);
  background_->Restore({(*added)->name, (*added)->id});
  return description;
}

Result<void> Tables::SetRecovery(std::string_view name, bool enabled, std::optional<std::int64_t> days) {
  const auto space = catalog_.NewSpaces(1);
  if (!space) return std::unexpected(space.error());
  std::optional<catalog::Recovery> before;
  const auto changed = catalog_.Change(name, [&](catalog::Table& table) -> Result<void> {
    before = table.recovery;
    if (!enabled) {
      table.recovery.reset();
      return {};
    }
    if (!table.recovery) table.recovery = {.space = *space, .since_ms = clock_.NowMs()};
    if (days) table.recovery->days = *days;
    return {};
  });
  if (!changed) return std::unexpected(changed.error());
  if (before && !enabled) background_->Erase((*changed)->id, {before->space});
  return {};
}

Result<TimeToLiveSpecification> Tables::UpdateTimeToLive(std::string_view name,
                                                         const TimeToLiveSpecification& specification) {
  ExpiryTask task;
  const auto changed = catalog_.Change(name, [&](catalog::Table& table) -> Result<void> {
    if (auto settled = CheckSettled(table); !settled) return settled;
    const bool enabled = table.time_to_live && table.time_to_live->enabled;
    if (!enabled && !specification.enabled) return ValidationError("TimeToLive is already disabled");
    if (enabled && table.time_to_live->attribute != specification.attribute_name) {
      return ValidationError("TimeToLive is active on a different AttributeName: current AttributeName is " +
                             table.time_to_live->attribute);
    }
    if (enabled && specification.enabled) return ValidationError("TimeToLive is already enabled");
    table.time_to_live = {.attribute = specification.attribute_name,
                          .enabled = specification.enabled,
                          .filling = specification.enabled,
                          .changed_ms = clock_.NowMs()};
    task = {table.name, table.id};
    return {};
  });
  if (!changed) return std::unexpected(changed.error());
  background_->SettleExpiries(std::move(task));
  return specification;
}

Result<TimeToLiveDescription> Tables::DescribeTimeToLive(std::string_view name) const {
  const catalog::TablePtr table = catalog_.Find(name);
  if (table == nullptr) return TableNotFound(name);
  if (!table->time_to_live || !table->time_to_live->enabled) return TimeToLiveDescription{};
  const auto status = table->time_to_live->filling ? TimeToLiveStatus::kEnabling : TimeToLiveStatus::kEnabled;
  return TimeToLiveDescription{status, table->time_to_live->attribute};
}

Result<void> Tables::Tag(std::string_view name, const std::vector<taula::Tag>& tags) {
  if (auto checked = CheckTags(tags); !checked) return checked;
  const auto changed = catalog_.Change(name, [&](catalog::Table& table) -> Result<void> {
    for (const taula::Tag& tag : tags) {
      const auto known = std::ranges::find(table.tags, tag.key, &taula::Tag::key);
      if (known == table.tags.end()) {
        table.tags.push_back(tag);
      } else {
        known->value = tag.value;
      }
    }
    return CheckTagTotal(table.tags);
  });
  if (!changed) return std::unexpected(changed.error());
  return {};
}

Result<void> Tables::Untag(std::string_view name, const std::vector<std::string>& keys) {
  if (auto checked = CheckTagKeys(keys); !checked) return checked;
  const auto changed = catalog_.Change(name, [&](catalog::Table& table) -> Result<void> {
    std::erase_if(table.tags, [&](const taula::Tag& tag) { return std::ranges::find(keys, tag.key) != keys.end(); });
    return {};
  });
  if (!changed) return std::unexpected(changed.error());
  return {};
}

Result<std::vector<taula::Tag>> Tables::Tags(std::string_view name) const {
  const catalog::TablePtr table = catalog_.Find(name);
  if (table == nullptr) return TableNotFound(name);
  return table->tags;
}

Result<void> Tables::EnableRangeQueries(std::string_view name) {
  ViewFillTask task{.table_name = std::string(name), .table_id = {}};
  {
    const catalog::TablePtr current = catalog_.Find(name);
    if (current != nullptr && current->range_queries == IndexStatus::kActive) return {};
    const auto changed = catalog_.Change(name, [](catalog::Table& table) -> Result<void> {
      if (!table.range_queries) table.range_queries = IndexStatus::kCreating;
      return {};
    });
    if (!changed) return std::unexpected(changed.error());
    task.table_id = (*changed)->id;
  }
  background_->FillViews(task).wait();
  const catalog::TablePtr filled = catalog_.Find(name);
  if (filled == nullptr || filled->id != task.table_id) return TableNotFound(name);
  if (filled->range_queries == IndexStatus::kActive) return {};
  return Fail(ErrorCode::kServiceUnavailable, "The database was closed before the table's views were complete");
}

std::string Tables::Arn(std::string_view table_name) const { return TableArn(region_, account_, table_name); }

std::optional<std::string> Tables::NameFromArn(std::string_view arn) const {
  constexpr std::string_view kTablePrefix = "table/";
  const std::optional<engine::Arn> parts = ParseArn(arn);
  if (!parts || parts->service != "dynamodb" || parts->region != region_ || parts->account != account_) {
    return std::nullopt;
  }
  if (!parts->resource.starts_with(kTablePrefix)) return std::nullopt;
  const std::string_view name = parts->resource.substr(kTablePrefix.size());
  if (name.empty() || name.contains('/')) return std::nullopt;
  return std::string(name);
}

void Tables::WaitForBackgroundWork() { background_->WaitUntilIdle(); }

}  // namespace taula::engine
