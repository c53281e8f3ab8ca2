#include <fmt/format.h>

#include "api/table_operations_testing.h"

namespace taula::api {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(TableOperations, UpdateTableChecksWhatGoesTogether) {
  const auto update = [](const std::string& rest) { return Create(rest); };
  ExpectInvalid("UpdateTable", R"({"TableName":"Orders","GlobalSecondaryIndexUpdates":[]})",
                "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
                "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
                "MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass "
                "is required");
  ExpectInvalidParameter("UpdateTable", update(kOnDemand + "," + kProvisioned),
                         "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
                         "PAY_PER_REQUEST");
  ExpectInvalidParameter("UpdateTable", update(R"("BillingMode":"PROVISIONED")"),
                         "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  ExpectInvalidParameter("UpdateTable", update(R"("SSESpecification":{"Enabled":true},"TableClass":"STANDARD")"),
                         "Server-Side Encryption modification must be the only operation in the request");
  ExpectInvalidParameter("UpdateTable", update(R"("DeletionProtectionEnabled":true,)" + kOnDemand),
                         "DeletionProtection modification must be the only operation in the request");
  ExpectInvalidParameter("UpdateTable", update(kProvisioned + R"(,"StreamSpecification":{"StreamEnabled":false})"),
                         "You cannot modify stream status while updating table IOPS");
  ExpectInvalidParameter("UpdateTable", update(R"("GlobalSecondaryIndexUpdates":[{}])"),
                         "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                         "GlobalSecondaryIndexUpdate.Delete must not be null");
  ExpectError("UpdateTable", update(kProvisioned), ErrorCode::kResourceNotFoundException,
              "Requested resource not found: Table: Orders not found");
}

TEST_F(TableOperations, UpdateTableChangesThroughputAndShowsTheOldOneMeanwhile) {
  Answer("CreateTable", Create(kPk + "," + kProvisioned));
  ExpectInvalid("UpdateTable", Create(kProvisioned),
                "The provisioned throughput for the table will not change. The requested value equals the current "
                "value. Current ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits: 5. "
                "Current WriteCapacityUnits provisioned for the table: 6. Requested WriteCapacityUnits: 6. Refer to "
                "the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.");
  const std::string answer =
      Answer("UpdateTable", Create(R"("ProvisionedThroughput":{"ReadCapacityUnits":10,"WriteCapacityUnits":2})"));
  EXPECT_THAT(answer, HasSubstr(R"("TableStatus":"UPDATING")"));
  EXPECT_THAT(answer, HasSubstr(R"("NumberOfDecreasesToday":0,"ReadCapacityUnits":5,"WriteCapacityUnits":6})"));
  const std::string table = Answer("DescribeTable", R"({"TableName":"Orders"})");
  EXPECT_THAT(table, HasSubstr(R"("NumberOfDecreasesToday":1,"ReadCapacityUnits":10,"WriteCapacityUnits":2})"));
  EXPECT_THAT(table, HasSubstr("LastIncreaseDateTime"));
  EXPECT_THAT(table, HasSubstr("LastDecreaseDateTime"));
}

TEST_F(TableOperations, UpdateTableSwitchesTheBillingModeThereAndBack) {
  Answer("CreateTable", Create(kPk + "," + kProvisioned));
  const std::string there = Answer("UpdateTable", Create(kOnDemand));
  EXPECT_THAT(there, HasSubstr(R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"})"));
  EXPECT_THAT(there, HasSubstr(R"("ReadCapacityUnits":0)"));
  EXPECT_THAT(Answer("UpdateTable", Create(kOnDemand)), HasSubstr(R"("TableStatus":"UPDATING")"));
  ExpectInvalidParameter("UpdateTable", Create(kProvisioned),
                         "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
                         "PAY_PER_REQUEST");
  Answer("UpdateTable", Create(R"("OnDemandThroughput":{"MaxReadRequestUnits":5})"));
  Answer("UpdateTable", Create(R"("BillingMode":"PROVISIONED",)" + kProvisioned));
  const std::string back = Answer("DescribeTable", R"({"TableName":"Orders"})");
  EXPECT_THAT(back, HasSubstr(R"("BillingMode":"PROVISIONED","LastUpdateToPayPerRequestDateTime":)"));
  EXPECT_THAT(back, Not(HasSubstr("OnDemandThroughput")));
}

TEST_F(TableOperations, UpdateTableMergesOnDemandLimits) {
  Answer("CreateTable", Create(kPk + "," + kOnDemand + R"(,"OnDemandThroughput":{"MaxReadRequestUnits":5})"));
  Answer("UpdateTable", Create(R"("OnDemandThroughput":{"MaxWriteRequestUnits":6})"));
  EXPECT_THAT(Answer("DescribeTable", R"({"TableName":"Orders"})"),
              HasSubstr(R"("OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":6})"));
  EXPECT_THAT(
      Answer("UpdateTable", Create(R"("OnDemandThroughput":{"MaxReadRequestUnits":-1,"MaxWriteRequestUnits":-1})")),
      HasSubstr(R"({"MaxReadRequestUnits":-1,"MaxWriteRequestUnits":-1})"));
  EXPECT_THAT(Answer("DescribeTable", R"({"TableName":"Orders"})"), Not(HasSubstr("OnDemandThroughput")));
}

TEST_F(TableOperations, UpdateTableSwitchesStreamsAndKeepsTheLastLabel) {
  Answer("CreateTable", Create(kPk + "," + kOnDemand));
  const std::string off = Create(R"("StreamSpecification":{"StreamEnabled":false})");
  const std::string on = Create(R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})");
  ExpectInvalid("UpdateTable", off, "Table has no stream to disable: TableName: Orders");
  EXPECT_THAT(Answer("UpdateTable", on), HasSubstr("LatestStreamArn"));
  ExpectInvalid("UpdateTable", on, "Table already has an enabled stream: TableName: Orders");
  Answer("UpdateTable", off);
  const std::string table = Answer("DescribeTable", R"({"TableName":"Orders"})");
  EXPECT_THAT(table, Not(HasSubstr("StreamSpecification")));
  EXPECT_THAT(table, HasSubstr("LatestStreamArn"));
}

TEST_F(TableOperations, UpdateTableChangesClassEncryptionAndWarmThroughput) {
  Answer("CreateTable", Create(kPk + "," + kOnDemand));
  EXPECT_THAT(Answer("UpdateTable", Create(R"("TableClass":"STANDARD_INFREQUENT_ACCESS")")),
              Not(HasSubstr("TableClassSummary")));
  EXPECT_THAT(Answer("DescribeTable", R"({"TableName":"Orders"})"),
              HasSubstr(R"("TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS","LastUpdateDateTime":)"));
  ExpectInvalidParameter("UpdateTable", Create(R"("SSESpecification":{"Enabled":false})"),
                         "Table is already encrypted by default");
  EXPECT_THAT(Answer("UpdateTable", Create(R"("SSESpecification":{"Enabled":true})")),
              HasSubstr(R"("SSEDescription":{"Status":"UPDATING","SSEType":"KMS")"));
  ExpectInvalidParameter("UpdateTable", Create(R"("WarmThroughput":{"ReadUnitsPerSecond":100})"),
                         "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current "
                         "WarmThroughput, decreasing WarmThroughput is not supported");
  EXPECT_THAT(Answer("UpdateTable", Create(R"("WarmThroughput":{"ReadUnitsPerSecond":15000})")),
              HasSubstr(R"({"ReadUnitsPerSecond":15000,"WriteUnitsPerSecond":4000,"Status":"UPDATING"})"));
}

std::string IndexUpdate(const std::string& action, const std::string& json) {
  return R"("GlobalSecondaryIndexUpdates":[{")" + action + R"(":)" + json + "}]";
}

TEST_F(TableOperations, UpdateTableAddsAndRemovesAnIndex) {
  Answer("CreateTable", Create(kPk + "," + kOnDemand));
  const std::string added =
      Answer("UpdateTable", Create(Definitions({"g", "unused"}) + "," + IndexUpdate("Create", Index("one", "g:HASH"))));
  EXPECT_THAT(added, HasSubstr(R"("TableStatus":"UPDATING")"));
  EXPECT_THAT(added, HasSubstr(R"("IndexStatus":"CREATING","Backfilling":false)"));
  Wait();
  const std::string table = Answer("DescribeTable", R"({"TableName":"Orders"})");
  EXPECT_THAT(table, HasSubstr(R"("IndexStatus":"ACTIVE")"));
  EXPECT_THAT(table, Not(HasSubstr("Backfilling")));
  EXPECT_THAT(table, Not(HasSubstr("unused")));
  const std::string removed = Answer("UpdateTable", Create(IndexUpdate("Delete", R"({"IndexName":"one"})")));
  EXPECT_THAT(removed, HasSubstr(R"("IndexStatus":"DELETING")"));
  const std::string without = Answer("DescribeTable", R"({"TableName":"Orders"})");
  EXPECT_THAT(without, Not(HasSubstr("GlobalSecondaryIndexes")));
  EXPECT_THAT(without, HasSubstr(R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}])"));
}

TEST_F(TableOperations, UpdateTableRefusesIndexesThatDoNotFitTheTable) {
  Answer("CreateTable", Create(Definitions({"pk", "sk", "g"}) + "," + kPkSk + "," + kOnDemand + "," +
                               Locals(Index("local", "pk:HASH,g:RANGE")) + "," + Globals(Index("one", "g:HASH"))));
  ExpectInvalid("UpdateTable", Create(IndexUpdate("Create", Index("one", "x:HASH"))),
                "Attempting to create an index which already exists");
  ExpectInvalidParameter("UpdateTable", Create(IndexUpdate("Create", Index("two", "g:HASH"))),
                         "AttributeDefinitions is not specified for index: two");
  ExpectInvalidParameter("UpdateTable",
                         Create(Definitions({"x"}) + "," + IndexUpdate("Create", Index("two", "g:HASH"))),
                         "Some index key attributes are not defined in AttributeDefinitions. Keys: [g], "
                         "AttributeDefinitions: [x]");
  ExpectInvalidParameter(
      "UpdateTable",
      Create(R"("AttributeDefinitions":[{"AttributeName":"g","AttributeType":"N"}],)" +
             IndexUpdate("Create", Index("two", "g:HASH"))),
      "Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. "
      "Existing schema: Schema:[SchemaElement: key{pk:S:HASH}, SchemaElement: key{g:S:RANGE}] New schema: "
      "Schema:[SchemaElement: key{g:N:HASH}]");
  ExpectError("UpdateTable", Create(IndexUpdate("Delete", R"({"IndexName":"none"})")),
              ErrorCode::kResourceNotFoundException, "Requested resource not found: Index none for table Orders");
  ExpectInvalid("UpdateTable", Create(IndexUpdate("Delete", R"({"IndexName":"local"})")),
                "Cannot delete an index that is not a GlobalSecondaryIndex: local");
  ExpectInvalidParameter("UpdateTable", Create(IndexUpdate("Update", R"({"IndexName":"one",)" + kProvisioned + "}")),
                         "The only Updates for index: one when TableThroughputMode is PAY_PER_REQUEST can be to "
                         "OnDemandThroughput, WarmThroughput");
  ExpectInvalidParameter("UpdateTable", Create(R"("BillingMode":"PROVISIONED",)" + kProvisioned),
                         "ProvisionedThroughput must be specified for index: one");
  ExpectError("UpdateTable",
              Create(Definitions({"x"}) + R"(,"GlobalSecondaryIndexUpdates":[{"Create":)" + Index("two", "x:HASH") +
                     R"(},{"Delete":{"IndexName":"one"}}])"),
              ErrorCode::kLimitExceededException,
              "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table");
}

TEST_F(TableOperations, WhileAnIndexIsFilledOtherChangesWait) {
  Answer("CreateTable", Create(kPk + "," + kProvisioned));
  // A request that is under way keeps the index from being filled.
  catalog::TablePtr held = engine_->FindTable("Orders");
  const std::string index = Index("one", "g:HASH", R"("Projection":{"ProjectionType":"ALL"},)" + kProvisioned);
  Answer("UpdateTable", Create(Definitions({"g"}) + "," + IndexUpdate("Create", index)));
  EXPECT_THAT(Answer("DescribeTable", R"({"TableName":"Orders"})"),
              HasSubstr(R"("IndexStatus":"CREATING","Backfilling":true)"));
  ExpectError("UpdateTable", Create(R"("ProvisionedThroughput":{"ReadCapacityUnits":9,"WriteCapacityUnits":9})"),
              ErrorCode::kResourceInUseException,
              "Attempt to change a resource which is still in use: Can't change table IOPS when an index is being "
              "created. Table: Orders Indexes: [one]");
  ExpectError("DeleteTable", R"({"TableName":"Orders"})", ErrorCode::kResourceInUseException,
              "Attempt to change a resource which is still in use: Cannot delete table while indexes are being "
              "created, updated, or deleted.");
  held.reset();
  Wait();
  Answer("DeleteTable", R"({"TableName":"Orders"})");
}

TEST_F(TableOperations, ListsWithElementsOfTheWrongTypeAreRefused) {
  const auto expect = [this](const char* operation, const std::string& body, const char* message) {
    ExpectError(operation, body, ErrorCode::kSerializationException, message);
  };
  expect("CreateTable", R"({"KeySchema":["x"]})", "Unexpected value type in payload");
  expect("CreateTable", R"({"KeySchema":[{"AttributeName":1}]})", "NUMBER_VALUE cannot be converted to String");
  expect("CreateTable", R"({"GlobalSecondaryIndexes":[{"KeySchema":[[]]}]})",
         "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.KeySchemaElement");
  expect("UpdateTable", R"({"TableName":"Orders","GlobalSecondaryIndexUpdates":[1]})",
         "Unexpected value type in payload");
  expect("UpdateTable", R"({"TableName":"Orders","ReplicaUpdates":[1]})", "Unexpected value type in payload");
}

TEST_F(TableOperations, ReplicasAreRefused) {
  Answer("CreateTable", Create(kPk + "," + kOnDemand));
  const auto updates = [](const std::string& actions) { return Create(R"("ReplicaUpdates":[)" + actions + "]"); };
  const auto in = [](const char* action, const char* region, const char* more = "") {
    return fmt::format(R"({{"{}":{{"RegionName":"{}"{}}}}})", action, region, more);
  };
  ExpectInvalid("UpdateTable", updates(in("Create", "eu-west-1")),
                "Region eu-west-1 is not supported. The latest version of global tables are only supported in the "
                "following regions: [us-east-1]. This server is one machine in one region, and keeps no replicas.");
  ExpectInvalid("UpdateTable", updates(in("Create", "us-east-1")),
                "Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or "
                "UpdateTable as required.");
  for (const std::string& action :
       {in("Delete", "eu-west-1"), in("Update", "eu-west-1", R"(,"TableClassOverride":"STANDARD")")}) {
    ExpectInvalid("UpdateTable", updates(action),
                  "Update global table operation failed because one or more replicas were not part of the global "
                  "table. Please retry the request without these replicas: [eu-west-1].");
  }
  for (const std::string& action : {std::string("{}"), in("Update", "eu-west-1")}) {
    ExpectInvalid("UpdateTable", updates(action),
                  "There are no actions specified in the Replica Update Action of the request.");
  }
  ExpectInvalid("UpdateTable", updates(R"({"Create":{"RegionName":"a"},"Delete":{"RegionName":"b"}})"),
                "Update table operation with more than one type of replica actions not allowed.");
  ExpectInvalid("UpdateTable", updates(in("Create", "eu-west-1") + "," + in("Create", "eu-west-2")),
                "Update table operation with more than one create or delete replica actions not allowed");
  ExpectInvalid("UpdateTable", updates(R"({"Delete":{}})"),
                "1 validation error detected: Value null at 'replicaUpdates.1.member.delete.regionName' failed to "
                "satisfy constraint: Member must not be null");
  ExpectInvalidParameter("UpdateTable",
                         Create(R"("ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}],"TableClass":"STANDARD")"),
                         "Replica modification must be the only operation in the request");
  ExpectError("UpdateTable", R"({"TableName":"Nope","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]})",
              ErrorCode::kResourceNotFoundException, "Requested resource not found: Table: Nope not found");
}

TEST_F(TableOperations, ConsistencyAcrossRegionsIsRefused) {
  Answer("CreateTable", Create(kPk + "," + kOnDemand));
  const std::string replicas = R"(,"ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}])";
  const std::string witness = R"(,"GlobalTableWitnessUpdates":[{"Create":{"RegionName":"eu-west-2"}}])";
  ExpectInvalid("UpdateTable", Create(R"("MultiRegionConsistency":"STRONG")"),
                "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
                "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
                "DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required");
  ExpectInvalid("UpdateTable", Create(R"("MultiRegionConsistency":"WEAK")"),
                "1 validation error detected: Value 'WEAK' at 'multiRegionConsistency' failed to satisfy constraint: "
                "Member must satisfy enum value set: [EVENTUAL, STRONG]");
  ExpectInvalid("UpdateTable", Create(R"("MultiRegionConsistency":"STRONG")" + replicas),
                "Unsupported replica count for global tables with MultiRegionConsistency set to STRONG.");
  ExpectInvalid("UpdateTable", Create(R"("MultiRegionConsistency":"EVENTUAL")" + replicas + witness),
                "MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present.");
  ExpectInvalid("UpdateTable", Create(R"("MultiRegionConsistency":"STRONG")" + replicas + witness),
                "Region eu-west-1 is not supported. The latest version of global tables are only supported in the "
                "following regions: [us-east-1]. This server is one machine in one region, and keeps no replicas.");
  ExpectInvalidParameter("UpdateTable",
                         Create(R"("MultiRegionConsistency":"STRONG","DeletionProtectionEnabled":true)" + replicas),
                         "Requests that modify replicas or witnesses must not also modify other fields");
  ExpectInvalidParameter("UpdateTable", Create(R"("GlobalTableSettingsReplicationMode":"ENABLED")"),
                         "GlobalTableSettingsReplicationMode is not supported: this server is the region us-east-1 "
                         "alone, and tables have no replicas here");
}

}  // namespace
}  // namespace taula::api
