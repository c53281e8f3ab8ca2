#include "api/replica_updates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "api/table_members.h"
#include "engine/index_rules.h"
#include "engine/table_rules.h"

namespace taula::api {
namespace {

using Kind = ReplicaAction::Kind;

struct ActionMember {
  Kind kind;
  const char* name;
  const char* in_path;
  const char* type;
};

constexpr auto kActions = std::to_array<ActionMember>(
    {{Kind::kCreate, "Create", "create", "CreateReplicationGroupMemberAction"},
     {Kind::kUpdate, "Update", "update", "UpdateReplicationGroupMemberAction"},
     {Kind::kDelete, "Delete", "delete", "DeleteReplicationGroupMemberAction"},
     {Kind::kDisassociate, "Disassociate", "disassociate", "DisassociateReplicationGroupMemberAction"}});

// What an Update can say beside the region.
constexpr std::array kSettings = {"KMSMasterKeyId", "ProvisionedThroughputOverride", "OnDemandThroughputOverride",
                                  "GlobalSecondaryIndexes", "TableClassOverride"};

std::vector<ReplicaAction> ReadActions(const codec::JsonStruct& update, const std::string& path,
                                       Constraints& constraints) {
  std::vector<ReplicaAction> actions;
  for (const auto& [kind, name, in_path, type] : kActions) {
    const auto members = update[name].Struct(type);
    if (!members) continue;
    ReplicaAction action{.kind = kind};
    if (const auto region = (*members)["RegionName"].String()) {
      action.region = *region;
    } else {
      constraints.Missing(fmt::format("{}.{}.regionName", path, in_path));
    }
    if (kind == Kind::kUpdate) {
      action.changes =
          std::ranges::any_of(kSettings, [&](const char* setting) { return (*members)[setting].present(); });
    }
    actions.push_back(std::move(action));
  }
  return actions;
}

std::vector<ReplicaAction> AllActions(const ReplicaChanges& changes) {
  std::vector<ReplicaAction> all;
  for (const std::vector<ReplicaAction>& element : *changes.updates) {
    all.insert(all.end(), element.begin(), element.end());
  }
  return all;
}

// How many regions the actions of a kind are about.
std::size_t RegionsOf(const std::vector<ReplicaAction>& actions, Kind kind) {
  std::set<std::string_view> regions;
  for (const ReplicaAction& action : actions) {
    if (action.kind == kind) regions.insert(action.region);
  }
  return regions.size();
}

Result<void> CheckActions(const ReplicaChanges& changes, const std::string& region) {
  for (const std::vector<ReplicaAction>& element : *changes.updates) {
    if (element.size() > 1) {
      return ValidationError("Update table operation with more than one type of replica actions not allowed.");
    }
    if (element.empty() || !element.front().changes) {
      return ValidationError("There are no actions specified in the Replica Update Action of the request.");
    }
  }
  const std::vector<ReplicaAction> actions = AllActions(changes);
  if (changes.witnesses && changes.consistency != "STRONG") {
    return ValidationError(
        "MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present.");
  }
  const std::size_t created = RegionsOf(actions, Kind::kCreate);
  if (changes.consistency == "STRONG") {
    if (created != actions.size()) {
      return ValidationError(
          "Only Replica Create actions are supported when MultiRegionConsistency parameter is provided.");
    }
    if (created + (changes.witnesses ? 1 : 0) != 2) {
      return ValidationError("Unsupported replica count for global tables with MultiRegionConsistency set to STRONG.");
    }
  } else if (created > 1 || RegionsOf(actions, Kind::kDelete) > 1) {
    return ValidationError("Update table operation with more than one create or delete replica actions not allowed");
  }
  if (std::ranges::find(actions, region, &ReplicaAction::region) != actions.end()) {
    return ValidationError(
        "Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or UpdateTable as "
        "required.");
  }
  return {};
}

}  // namespace

ReplicaChanges ReadReplicaChanges(const codec::JsonStruct& json, Constraints& constraints) {
  ReplicaChanges changes;
  std::vector<std::vector<ReplicaAction>> updates;
  const std::optional<std::size_t> given =
      TableMembers(constraints)
          .ForEach(json["ReplicaUpdates"], "replicaUpdates", "ReplicationGroupUpdate",
                   [&](const codec::JsonStruct& update, const std::string& path) {
                     updates.push_back(ReadActions(update, path, constraints));
                   });
  if (given && *given == 0) constraints.Violated("replicaUpdates", "[]", LengthAtLeast(1));
  if (given) changes.updates = std::move(updates);
  if (const auto consistency = json["MultiRegionConsistency"].String()) {
    changes.consistency = *consistency;
    if (*consistency != "STRONG" && *consistency != "EVENTUAL") {
      constraints.Violated("multiRegionConsistency", *consistency, IsOneOf("[EVENTUAL, STRONG]"));
    }
  }
  if (const auto witnesses = json["GlobalTableWitnessUpdates"].List()) changes.witnesses = witnesses->size() > 0;
  for (const char* name :
       {"GlobalTableSettingsReplicationMode", "DisassociationProtectionEnabled", "VectorIndexUpdates"}) {
    if (json[name].present()) changes.other = name;
  }
  return changes;
}

Result<void> CheckReplicaChanges(const ReplicaChanges& changes, bool beside, const std::string& region) {
  if (changes.other) return {};
  if (!changes.updates && !beside) return engine::NothingToChange(!changes.consistency);
  if (beside && (changes.consistency || changes.witnesses)) {
    return engine::InvalidParameter("Requests that modify replicas or witnesses must not also modify other fields");
  }
  if (beside) return engine::InvalidParameter("Replica modification must be the only operation in the request");
  return CheckActions(changes, region);
}

std::unexpected<Error> RefuseReplicaChanges(const ReplicaChanges& changes, const std::string& region) {
  if (changes.other) {
    return engine::InvalidParameter(
        fmt::format("{} is not supported: this server is the region {} alone, and tables have no replicas here",
                    *changes.other, region));
  }
  std::vector<std::string> unknown;
  for (const ReplicaAction& action : AllActions(changes)) {
    if (action.kind == Kind::kCreate) {
      return ValidationError(fmt::format(
          "Region {} is not supported. The latest version of global tables are only supported in the following "
          "regions: [{}]. This server is one machine in one region, and keeps no replicas.",
          action.region, region));
    }
    unknown.push_back(action.region);
  }
  return ValidationError(
      fmt::format("Update global table operation failed because one or more replicas were not part of the global "
                  "table. Please retry the request without these replicas: [{}].",
                  fmt::join(unknown, ", ")));
}

}  // namespace taula::api
