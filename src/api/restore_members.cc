#include "api/restore_members.h"

#include <string>

#include "api/table_members.h"
#include "api/table_name.h"

namespace taula::api {
namespace {

void CheckTarget(const codec::JsonValue& json, engine::RestoreRequest& request, Constraints& constraints) {
  constexpr std::string_view kPath = "targetTableName";
  const auto name = json.String();
  if (!name) {
    constraints.Missing(kPath);
    return;
  }
  if (!IsResourceName(*name)) constraints.Violated(kPath, *name, MatchesPattern(kResourceNamePattern));
  if (name->size() < kResourceNameMin) constraints.Violated(kPath, *name, LengthAtLeast(kResourceNameMin));
  if (name->size() > kResourceNameMax) constraints.Violated(kPath, *name, LengthAtMost(kResourceNameMax));
  request.table_name = *name;
}

}  // namespace

engine::RestoreRequest ReadRestore(const codec::JsonStruct& json, Constraints& constraints) {
  engine::RestoreRequest request;
  TableMembers members(constraints);
  CheckTarget(json["TargetTableName"], request, constraints);
  request.billing_mode = members.Billing(json["BillingModeOverride"]);
  bool empty = false;
  // An empty list is not the same as none: no index is wanted then.
  if (json["GlobalSecondaryIndexOverride"].present()) {
    request.global_indexes =
        members.Indexes(json["GlobalSecondaryIndexOverride"], "globalSecondaryIndexOverride", true, empty);
  }
  if (json["LocalSecondaryIndexOverride"].present()) {
    request.local_indexes =
        members.Indexes(json["LocalSecondaryIndexOverride"], "localSecondaryIndexOverride", false, empty);
  }
  request.provisioned_throughput =
      members.ProvisionedThroughput(json["ProvisionedThroughputOverride"], "provisionedThroughputOverride");
  request.on_demand_throughput = members.OnDemand(json["OnDemandThroughputOverride"]);
  request.encryption = members.Encryption(json["SSESpecificationOverride"]);
  return request;
}

}  // namespace taula::api
