#include "engine/table_update.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/timestamp.h"
#include "engine/encryption_rules.h"
#include "engine/index_rules.h"
#include "engine/index_update.h"
#include "engine/table_arn.h"
#include "engine/throughput_rules.h"

namespace taula::engine {

namespace {

Result<void> CheckNoIndexUnderWay(const UpdateTableRequest& request, const catalog::Table& table) {
  std::vector<std::string_view> creating;
  for (const catalog::Index& index : table.indexes) {
    if (index.status == IndexStatus::kCreating) creating.push_back(index.name);
  }
  if (creating.empty()) return {};
  const bool throughput = request.provisioned_throughput || request.billing_mode;
  if (!throughput && !request.stream) return {};
  return InUse(fmt::format("Can't change {} when an index is being created. Table: {} Indexes: [{}]",
                           throughput ? "table IOPS" : "stream status", table.name, fmt::join(creating, ", ")));
}

// On the way to provisioned throughput every index needs its own.
Result<void> CheckAllIndexesProvisioned(const UpdateTableRequest& request, const catalog::Table& table) {
  std::vector<std::string_view> missing;
  for (const catalog::Index& index : table.indexes) {
    const bool updated = std::ranges::any_of(request.global_index_updates, [&](const GlobalIndexUpdate& update) {
      const auto* change = std::get_if<UpdateGlobalIndex>(&update);
      return change == nullptr ? NameOf(update) == index.name
                               : change->name == index.name && change->provisioned_throughput;
    });
    if (index.global && !updated) missing.push_back(index.name);
  }
  if (missing.empty()) return {};
  return InvalidParameter(
      fmt::format("ProvisionedThroughput must be specified for index: {}", fmt::join(missing, ",")));
}

void SwitchToOnDemand(catalog::Table& table, std::int64_t now_ms) {
  table.billing_mode = BillingMode::kPayPerRequest;
  table.on_demand_since_ms = now_ms;
  table.provisioned_throughput = {};
  table.warm_throughput = Raise(table.warm_throughput, kOnDemandInitial);
  for (catalog::Index& index : table.indexes) {
    if (!index.global) continue;
    index.provisioned_throughput = {};
    index.warm_throughput = Raise(index.warm_throughput, kOnDemandInitial);
  }
}

void SwitchToProvisioned(catalog::Table& table, const Throughput& throughput) {
  table.billing_mode = BillingMode::kProvisioned;
  table.provisioned_throughput.read_units = throughput.read_units;
  table.provisioned_throughput.write_units = throughput.write_units;
  table.warm_throughput = Raise(table.warm_throughput, throughput);
  table.on_demand_throughput.reset();
  for (catalog::Index& index : table.indexes) index.on_demand_throughput.reset();
}

Result<void> ApplyThroughput(const UpdateTableRequest& request, const UpdateContext& context, BillingMode mode,
                             catalog::Table& table) {
  if (request.provisioned_throughput) {
    auto quota = CheckQuota(*request.provisioned_throughput, "", context.region);
    if (!quota) return quota;
  }
  if (mode != table.billing_mode) {
    if (mode == BillingMode::kPayPerRequest) {
      SwitchToOnDemand(table, context.now_ms);
    } else {
      SwitchToProvisioned(table, *request.provisioned_throughput);
    }
  } else if (request.provisioned_throughput) {
    auto changes = CheckThroughputChanges(table.provisioned_throughput, *request.provisioned_throughput, "");
    if (!changes) return changes;
    SetProvisioned(table.provisioned_throughput, *request.provisioned_throughput, context.now_ms);
    table.warm_throughput = Raise(table.warm_throughput, *request.provisioned_throughput);
  }
  if (request.on_demand_throughput) {
    auto fits = CheckChangedOnDemand(*request.on_demand_throughput, mode, "");
    if (!fits) return fits;
    MergeOnDemand(table.on_demand_throughput, *request.on_demand_throughput);
  }
  if (request.warm_throughput) {
    auto grows = CheckChangedWarm(*request.warm_throughput, table.warm_throughput, "");
    if (!grows) return grows;
    table.warm_throughput = Raise(table.warm_throughput, *request.warm_throughput);
  }
  return {};
}

Result<void> ApplyStream(const StreamSpecification& stream, const UpdateContext& context, catalog::Table& table) {
  if (!stream.enabled) {
    if (!table.stream) {
      return ValidationError(fmt::format("Table has no stream to disable: TableName: {}", table.name));
    }
    table.stream.reset();
    table.stream_space = 0;
    return {};
  }
  if (table.stream) {
    return ValidationError(fmt::format("Table already has an enabled stream: TableName: {}", table.name));
  }
  const auto space = context.new_space();
  if (!space) return std::unexpected(space.error());
  table.stream = stream;
  table.stream_label = StreamLabel(context.now_ms);
  table.stream_space = *space;
  table.stream_since_ms = context.now_ms;
  return {};
}

Result<void> ApplyEncryption(const EncryptionSpecification& encryption, const UpdateContext& context,
                             catalog::Table& table) {
  if (!AsksForKey(encryption)) {
    if (!table.kms_key_arn) return InvalidParameter("Table is already encrypted by default");
    table.kms_key_arn.reset();
    return {};
  }
  std::string key = KmsKeyArn(context.region, context.account, encryption.kms_key);
  if (table.kms_key_arn && (!encryption.kms_key || *table.kms_key_arn == key)) {
    return InvalidParameter(
        "Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change "
        "Master Key");
  }
  table.kms_key_arn = std::move(key);
  return {};
}

Result<void> ApplySettings(const UpdateTableRequest& request, const UpdateContext& context, catalog::Table& table) {
  if (request.stream) {
    if (auto stream = ApplyStream(*request.stream, context, table); !stream) return stream;
  }
  if (request.encryption) {
    if (auto encryption = ApplyEncryption(*request.encryption, context, table); !encryption) return encryption;
  }
  if (request.table_class && *request.table_class != table.table_class.value_or(TableClass::kStandard)) {
    table.table_class = request.table_class;
    table.table_class_changed_ms = context.now_ms;
  }
  if (request.deletion_protection) table.deletion_protection = *request.deletion_protection;
  return {};
}

IndexDescription* FindDescription(std::vector<IndexDescription>& indexes, std::string_view name) {
  const auto found = std::ranges::find(indexes, name, &IndexDescription::name);
  return found == indexes.end() ? nullptr : &*found;
}

// Keeps the units of before, and shows when they began to change.
void ShowOldUnits(const ProvisionedThroughputDescription& before, ProvisionedThroughputDescription& shown) {
  shown.read_units = before.read_units;
  shown.write_units = before.write_units;
  shown.decreases_today = before.decreases_today;
}

void ShowIndexUpdates(const UpdateTableRequest& request, TableDescription before, TableDescription& shown) {
  for (const GlobalIndexUpdate& update : request.global_index_updates) {
    const std::string& name = NameOf(update);
    IndexDescription* const old_index = FindDescription(before.global_indexes, name);
    IndexDescription* const index = FindDescription(shown.global_indexes, name);
    if (index == nullptr && old_index != nullptr) {
      old_index->status = IndexStatus::kDeleting;
      old_index->backfilling.reset();
      shown.global_indexes.push_back(*old_index);
      shown.attribute_definitions = before.attribute_definitions;
    } else if (old_index == nullptr && index != nullptr) {
      index->backfilling = false;
      index->warm_throughput.reset();
    } else if (const auto* change = std::get_if<UpdateGlobalIndex>(&update)) {
      if (index->status == IndexStatus::kActive) index->status = IndexStatus::kUpdating;
      if (!request.billing_mode && old_index->provisioned_throughput && index->provisioned_throughput) {
        ShowOldUnits(*old_index->provisioned_throughput, *index->provisioned_throughput);
      }
      if (change->warm_throughput && index->warm_throughput) index->warm_throughput->updating = true;
    }
  }
}

void ShowBillingMode(const UpdateTableRequest& request, const TableDescription& before, TableDescription& shown) {
  if (request.billing_mode != BillingMode::kPayPerRequest) return;
  shown.last_on_demand_switch = before.last_on_demand_switch;
  if (before.billing_mode == BillingMode::kPayPerRequest) return;
  for (IndexDescription& index : shown.global_indexes) index.status = IndexStatus::kUpdating;
}

bool PutsTableIntoUpdating(const UpdateTableRequest& request) {
  const bool index_set = std::ranges::any_of(request.global_index_updates, [](const GlobalIndexUpdate& update) {
    return !std::holds_alternative<UpdateGlobalIndex>(update);
  });
  return index_set || request.provisioned_throughput || request.billing_mode || request.stream || request.table_class;
}

}  // namespace

Result<void> ApplyUpdate(const UpdateTableRequest& request, const UpdateContext& context, catalog::Table& table) {
  const BillingMode mode = request.billing_mode.value_or(table.billing_mode);
  if (mode == BillingMode::kPayPerRequest && request.provisioned_throughput) {
    return InvalidParameter(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST");
  }
  if (auto free = CheckNoIndexUnderWay(request, table); !free) return free;
  if (mode == BillingMode::kProvisioned && table.billing_mode != mode) {
    if (auto provisioned = CheckAllIndexesProvisioned(request, table); !provisioned) return provisioned;
  }
  if (auto indexes = ApplyIndexUpdates(request, context, mode, table); !indexes) return indexes;
  if (auto throughput = ApplyThroughput(request, context, mode, table); !throughput) return throughput;
  return ApplySettings(request, context, table);
}

TableDescription DescribeUpdating(const UpdateTableRequest& request, const TableDescription& before,
                                  TableDescription after) {
  TableDescription shown = std::move(after);
  if (PutsTableIntoUpdating(request)) shown.status = TableStatus::kUpdating;
  if (request.provisioned_throughput && shown.billing_mode == before.billing_mode) {
    ShowOldUnits(before.provisioned_throughput, shown.provisioned_throughput);
  }
  ShowIndexUpdates(request, before, shown);
  ShowBillingMode(request, before, shown);
  if (request.table_class) {
    shown.table_class = before.table_class;
    shown.last_table_class_update = before.last_table_class_update;
  }
  if (request.encryption) {
    if (!shown.encryption) shown.encryption = before.encryption;
    if (shown.encryption) shown.encryption->status = "UPDATING";
  }
  if (request.on_demand_throughput && *request.on_demand_throughput != OnDemandThroughput{}) {
    OnDemandThroughput limits = shown.on_demand_throughput.value_or(OnDemandThroughput{});
    if (request.on_demand_throughput->max_read_units)
      limits.max_read_units = request.on_demand_throughput->max_read_units;
    if (request.on_demand_throughput->max_write_units) {
      limits.max_write_units = request.on_demand_throughput->max_write_units;
    }
    shown.on_demand_throughput = limits;
  }
  if (request.warm_throughput && shown.warm_throughput) shown.warm_throughput->updating = true;
  return shown;
}

std::string StreamLabel(std::int64_t now_ms) {
  std::string label = base::IsoTimestamp(now_ms);
  if (label.ends_with('Z')) label.pop_back();
  return label;
}

std::unexpected<Error> TableNotFound(std::string_view name) {
  return Fail(ErrorCode::kResourceNotFoundException,
              fmt::format("Requested resource not found: Table: {} not found", name));
}

std::unexpected<Error> InUse(std::string_view why) {
  return Fail(ErrorCode::kResourceInUseException,
              fmt::format("Attempt to change a resource which is still in use: {}", why));
}

}  // namespace taula::engine
