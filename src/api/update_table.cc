#include <optional>
#include <string>
#include <utility>

#include "api/constraints.h"
#include "api/operations.h"
#include "api/replica_updates.h"
#include "api/table_json.h"
#include "api/table_members.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "engine/index_rules.h"
#include "engine/table_rules.h"
#include "engine/table_update.h"

namespace taula::api {

namespace {

struct UpdateTableBody {
  std::optional<std::string> name_or_arn;
  UpdateTableRequest request;
  engine::UpdateTableFaults faults;
  Constraints constraints;
  // An entry of GlobalSecondaryIndexUpdates with no action or with several.
  std::optional<Error> malformed_index_update;
  ReplicaChanges replicas;
};

void ReadIndexUpdate(const codec::JsonStruct& json, const std::string& path, TableMembers& members,
                     UpdateTableBody& body) {
  std::vector<GlobalIndexUpdate> actions;
  if (const auto update = json["Update"].Struct("UpdateGlobalSecondaryIndexAction")) {
    UpdateGlobalIndex change;
    change.name = members.IndexName((*update)["IndexName"], path + ".update.indexName");
    change.provisioned_throughput =
        members.ProvisionedThroughput((*update)["ProvisionedThroughput"], path + ".update.provisionedThroughput");
    change.on_demand_throughput = members.OnDemand((*update)["OnDemandThroughput"]);
    change.warm_throughput = members.Warm((*update)["WarmThroughput"]);
    actions.emplace_back(std::move(change));
  }
  if (const auto create = json["Create"].Struct("CreateGlobalSecondaryIndexAction")) {
    actions.emplace_back(CreateGlobalIndex{members.GlobalIndex(*create, path + ".create")});
  }
  if (const auto removal = json["Delete"].Struct("DeleteGlobalSecondaryIndexAction")) {
    actions.emplace_back(DeleteGlobalIndex{members.IndexName((*removal)["IndexName"], path + ".delete.indexName")});
  }
  if (actions.size() != 1 && !body.malformed_index_update) {
    body.malformed_index_update =
        engine::InvalidParameter(
            actions.empty() ? "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                              "GlobalSecondaryIndexUpdate.Delete must not be null"
                            : "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object")
            .error();
  }
  for (GlobalIndexUpdate& action : actions) body.request.global_index_updates.push_back(std::move(action));
}

UpdateTableBody Read(const codec::JsonStruct& json) {
  UpdateTableBody body;
  UpdateTableRequest& request = body.request;
  TableMembers members(body.constraints);
  request.attribute_definitions = members.AttributeDefinitions(json["AttributeDefinitions"], false);
  if (const auto name = json["TableName"].String()) body.name_or_arn = *name;
  request.billing_mode = members.Billing(json["BillingMode"]);
  request.provisioned_throughput =
      members.ProvisionedThroughput(json["ProvisionedThroughput"], "provisionedThroughput");
  const std::optional<std::size_t> given = members.ForEach(
      json["GlobalSecondaryIndexUpdates"], "globalSecondaryIndexUpdates", "GlobalSecondaryIndexUpdate",
      [&](const codec::JsonStruct& update, const std::string& path) { ReadIndexUpdate(update, path, members, body); });
  body.faults.empty_index_updates = given && *given == 0;
  request.stream = members.Stream(json["StreamSpecification"]);
  request.encryption = members.Encryption(json["SSESpecification"]);
  body.replicas = ReadReplicaChanges(json, body.constraints);
  request.table_class = members.Class(json["TableClass"], body.faults.unknown_table_class);
  request.deletion_protection = json["DeletionProtectionEnabled"].Boolean();
  request.on_demand_throughput = members.OnDemand(json["OnDemandThroughput"]);
  request.warm_throughput = members.Warm(json["WarmThroughput"]);
  return body;
}

std::unexpected<Error> RefuseReplicas(Context& context, const std::string& name, const UpdateTableBody& body) {
  const engine::Tables& tables = context.engine.tables();
  const bool beside = body.malformed_index_update || engine::AsksForChange(body.request, body.faults);
  if (auto checked = CheckReplicaChanges(body.replicas, beside, tables.region()); !checked) {
    return std::unexpected(checked.error());
  }
  if (context.engine.FindTable(name) == nullptr) return engine::TableNotFound(name);
  return RefuseReplicaChanges(body.replicas, tables.region());
}

Result<std::string> Act(Context& context, UpdateTableBody body) {
  auto name = ResolveTableName(context, body.name_or_arn);
  if (!name) return std::unexpected(name.error());
  if (auto shape = body.constraints.Check(); !shape) return std::unexpected(shape.error());
  // An entry without an action is a change all the same.
  const bool only_malformed = body.malformed_index_update && body.request.global_index_updates.empty();
  if (body.replicas.any()) return RefuseReplicas(context, *name, body);
  if (!only_malformed) {
    auto combination = engine::CheckUpdateTable(body.request, body.faults);
    if (!combination) return std::unexpected(combination.error());
  }
  if (body.malformed_index_update) return std::unexpected(*body.malformed_index_update);
  body.request.table_name = *std::move(name);
  return TableAnswer("TableDescription", context.engine.tables().Update(body.request, body.faults));
}

}  // namespace

void UpdateTable(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read,
                     [&context](UpdateTableBody decoded) { return Act(context, std::move(decoded)); });
}

}  // namespace taula::api
