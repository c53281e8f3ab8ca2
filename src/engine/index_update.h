// The changes to global indexes that UpdateTable makes.
#pragma once

#include "catalog/table.h"
#include "engine/table_update.h"
#include "engine/throughput_rules.h"
#include "taula/error.h"
#include "taula/table_requests.h"

namespace taula::engine {

// Carries out the request's changes to indexes, for a table that will have the
// billing mode `mode`.
[[nodiscard]] Result<void> ApplyIndexUpdates(const UpdateTableRequest& request, const UpdateContext& context,
                                             BillingMode mode, catalog::Table& table);

// Sets what is provisioned and notes whether it went up or down.
void SetProvisioned(ProvisionedThroughputDescription& provisioned, const Throughput& to, std::int64_t now_ms);

// Takes over the limits that are given; -1 lifts one.
void MergeOnDemand(std::optional<OnDemandThroughput>& limits, const OnDemandThroughput& change);

// What a new table and a new global index set alike.
template <typename Settings, typename Owner>
void SetNewThroughput(const Settings& settings, BillingMode mode, Owner& owner) {
  const Throughput provisioned = settings.provisioned_throughput.value_or(Throughput{});
  owner.provisioned_throughput.read_units = provisioned.read_units;
  owner.provisioned_throughput.write_units = provisioned.write_units;
  if (settings.on_demand_throughput) MergeOnDemand(owner.on_demand_throughput, *settings.on_demand_throughput);
  owner.warm_throughput = mode == BillingMode::kPayPerRequest ? kOnDemandInitial : provisioned;
  if (settings.warm_throughput) owner.warm_throughput = Raise(owner.warm_throughput, *settings.warm_throughput);
}

// Fails when what is asked for is what is there. `index` is the name of a
// global index, or empty for the table itself.
[[nodiscard]] Result<void> CheckThroughputChanges(const ProvisionedThroughputDescription& current,
                                                  const Throughput& requested, std::string_view index);

}  // namespace taula::engine
