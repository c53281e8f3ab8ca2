#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "engine/encryption_rules.h"
#include "engine/index_rules.h"
#include "engine/table_rules.h"
#include "engine/throughput_rules.h"

namespace taula::engine {

namespace {

bool CreatesOrDeletes(const GlobalIndexUpdate& update) { return !std::holds_alternative<UpdateGlobalIndex>(update); }

// Which kinds of change a request asks for.
struct Changes {
  explicit Changes(const UpdateTableRequest& request, const UpdateTableFaults& faults)
      : throughput(request.provisioned_throughput),
        billing_mode(request.billing_mode),
        stream(request.stream),
        indexes(!request.global_index_updates.empty()),
        encryption(request.encryption),
        table_class(request.table_class || faults.unknown_table_class),
        deletion_protection(request.deletion_protection),
        on_demand(request.on_demand_throughput && *request.on_demand_throughput != OnDemandThroughput{}),
        warm(request.warm_throughput && *request.warm_throughput != WarmThroughput{}),
        index_set(std::ranges::any_of(request.global_index_updates, CreatesOrDeletes)) {}

  [[nodiscard]] int count() const {
    return throughput + billing_mode + stream + indexes + encryption + table_class + deletion_protection + on_demand +
           warm;
  }

  bool throughput;
  bool billing_mode;
  bool stream;
  bool indexes;
  bool encryption;
  bool table_class;
  bool deletion_protection;
  bool on_demand;
  bool warm;
  bool index_set;  // an index is created or deleted
};

Result<void> CheckAlone(const Changes& changes) {
  if (changes.count() == 1) return {};
  if (changes.encryption) {
    return InvalidParameter("Server-Side Encryption modification must be the only operation in the request");
  }
  if (changes.table_class) return InvalidParameter("TableClass modification must be the only operation in the request");
  if (changes.deletion_protection) {
    return InvalidParameter("DeletionProtection modification must be the only operation in the request");
  }
  if (changes.warm && changes.index_set) {
    return InvalidParameter("Create global secondary index cannot be specified when updating WarmThroughput");
  }
  if (changes.warm) return InvalidParameter("WarmThroughput must be the only operation in the request");
  if (changes.on_demand && (!changes.billing_mode || changes.count() != 2)) {
    return InvalidParameter("OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
  }
  return {};
}

Result<void> CheckTogether(const UpdateTableRequest& request, const Changes& changes) {
  if (changes.stream && (changes.throughput || request.billing_mode == BillingMode::kProvisioned)) {
    return InvalidParameter("You cannot modify stream status while updating table IOPS");
  }
  if (changes.index_set && changes.throughput) {
    return InvalidParameter("You cannot create or delete index while updating table IOPS");
  }
  if (changes.index_set && changes.stream) {
    return InvalidParameter("You cannot create or delete index while changing stream status");
  }
  return {};
}

Result<void> CheckBilling(const UpdateTableRequest& request) {
  if (request.billing_mode == BillingMode::kPayPerRequest && request.provisioned_throughput) {
    return InvalidParameter(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST");
  }
  if (request.billing_mode == BillingMode::kProvisioned && !request.provisioned_throughput) {
    return InvalidParameter("ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  }
  if (request.provisioned_throughput) return CheckBounds(*request.provisioned_throughput);
  return {};
}

Result<void> CheckStream(const UpdateTableRequest& request) {
  if (!request.stream) return {};
  if (request.stream->enabled && !request.stream->view_type) {
    return InvalidParameter("If stream is being enabled then UpdateViewType is required");
  }
  if (!request.stream->enabled && request.stream->view_type) {
    return InvalidParameter("If stream is being disabled, then UpdateViewType must not be specified");
  }
  return {};
}

}  // namespace

bool AsksForChange(const UpdateTableRequest& request, const UpdateTableFaults& faults) {
  return Changes(request, faults).count() > 0;
}

std::unexpected<Error> NothingToChange(bool name_consistency) {
  return ValidationError(fmt::format(
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
      "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, {}DeletionProtectionEnabled, "
      "OnDemandThroughput, WarmThroughput or TableClass is required",
      name_consistency ? "MultiRegionConsistency, " : ""));
}

Result<void> CheckUpdateTable(const UpdateTableRequest& request, const UpdateTableFaults& faults) {
  const Changes changes(request, faults);
  if (changes.count() == 0) return NothingToChange();
  if (auto alone = CheckAlone(changes); !alone) return alone;
  if (auto together = CheckTogether(request, changes); !together) return together;
  if (faults.empty_index_updates) return InvalidParameter("List of GlobalSecondaryIndexUpdates is empty");
  if (faults.unknown_table_class) return UnknownTableClass();
  if (auto billing = CheckBilling(request); !billing) return billing;
  if (auto stream = CheckStream(request); !stream) return stream;
  return CheckEncryption(request.encryption);
}

Result<void> CheckIndexUpdates(const UpdateTableRequest& request) {
  std::set<std::string> names;
  for (const GlobalIndexUpdate& update : request.global_index_updates) {
    const std::string& name = NameOf(update);
    if (!names.insert(name).second) {
      return InvalidParameter(
          fmt::format("Only one global secondary index update per index is allowed simultaneously. Index: {}", name));
    }
    const auto* change = std::get_if<UpdateGlobalIndex>(&update);
    if (change != nullptr && change->warm_throughput == WarmThroughput{}) {
      return InvalidParameter(fmt::format(
          "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: {}",
          name));
    }
  }
  return {};
}

}  // namespace taula::engine
