#include <optional>
#include <string>
#include <utility>

#include "api/constraints.h"
#include "api/operations.h"
#include "api/table_json.h"
#include "api/table_members.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "api/tags_json.h"
#include "engine/index_rules.h"
#include "engine/table_rules.h"

namespace taula::api {

namespace {

struct CreateTableBody {
  std::optional<std::string> name_or_arn;
  CreateTableRequest request;
  engine::CreateTableFaults faults;
  Constraints constraints;
  bool vector_indexes = false;
  bool global_table = false;
};

CreateTableBody Read(const codec::JsonStruct& json) {
  CreateTableBody body;
  CreateTableRequest& request = body.request;
  TableMembers members(body.constraints);
  if (const auto definitions = members.AttributeDefinitions(json["AttributeDefinitions"], true)) {
    request.attribute_definitions = *definitions;
  }
  if (const auto name = json["TableName"].String()) body.name_or_arn = *name;
  request.key_schema = members.KeySchema(json["KeySchema"], "keySchema");
  // Amazon reports what is wrong with global indexes first.
  request.global_indexes =
      members.Indexes(json["GlobalSecondaryIndexes"], "globalSecondaryIndexes", true, body.faults.empty_global_indexes);
  request.local_indexes =
      members.Indexes(json["LocalSecondaryIndexes"], "localSecondaryIndexes", false, body.faults.empty_local_indexes);
  request.billing_mode = members.Billing(json["BillingMode"]);
  request.provisioned_throughput =
      members.ProvisionedThroughput(json["ProvisionedThroughput"], "provisionedThroughput");
  request.stream = members.Stream(json["StreamSpecification"]);
  request.encryption = members.Encryption(json["SSESpecification"]);
  ReadTagsResult tags = ReadTags(json["Tags"]);
  request.tags = std::move(tags.tags).value_or(std::vector<Tag>{});
  body.faults.invalid_tags = std::move(tags.invalid);
  request.table_class = members.Class(json["TableClass"], body.faults.unknown_table_class);
  request.deletion_protection = json["DeletionProtectionEnabled"].Boolean();
  request.warm_throughput = members.Warm(json["WarmThroughput"]);
  if (const auto policy = json["ResourcePolicy"].String()) request.resource_policy = *policy;
  request.on_demand_throughput = members.OnDemand(json["OnDemandThroughput"]);
  body.global_table = json["GlobalTableSourceArn"].String() || json["GlobalTableSettingsReplicationMode"].String();
  const auto vector_indexes = json["VectorIndexes"].List();
  body.vector_indexes = vector_indexes && vector_indexes->size() > 0;
  return body;
}

// What this database does not have is refused, never ignored.
Result<void> CheckSupported(const CreateTableBody& body) {
  if (body.global_table) {
    return engine::InvalidParameter("Replicas of tables in other regions or accounts are not supported");
  }
  if (body.vector_indexes) return engine::InvalidParameter("Vector indexes are not supported");
  return {};
}

}  // namespace

void CreateTable(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](CreateTableBody decoded) -> Result<std::string> {
    auto name = ResolveTableName(context, decoded.name_or_arn);
    if (!name) return std::unexpected(name.error());
    if (auto shape = decoded.constraints.Check(); !shape) return std::unexpected(shape.error());
    if (auto supported = CheckSupported(decoded); !supported) return std::unexpected(supported.error());
    decoded.request.table_name = *std::move(name);
    return TableAnswer("TableDescription", context.engine.tables().Create(decoded.request, decoded.faults));
  });
}

}  // namespace taula::api
