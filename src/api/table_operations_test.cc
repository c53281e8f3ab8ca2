// The operations on tables as one sees them on the wire: a request's JSON, and
// the answer's JSON or the error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <memory>
#include <optional>
#include <string>

#include "api/operations.h"
#include "engine/engine.h"
#include "storage/memory/memory_store.h"

namespace taula::api {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kArn = "arn:aws:dynamodb:us-east-1:123456789012:table/";

class TableOperations : public testing::Test {
 protected:
  Result<std::string> Call(std::string_view operation, std::string body) {
    body.reserve(body.size() + simdjson::SIMDJSON_PADDING);
    std::optional<Result<std::string>> answer;
    service_.Handle(operation, body, [&](Result<std::string> result) { answer = std::move(result); });
    EXPECT_TRUE(answer.has_value());
    return *std::move(answer);
  }

  std::string Answer(std::string_view operation, const std::string& body) {
    const auto answer = Call(operation, body);
    EXPECT_TRUE(answer.has_value()) << operation << body << ": " << (answer ? "" : answer.error().message);
    return answer.value_or("");
  }

  void ExpectError(std::string_view operation, const std::string& body, ErrorCode code, const std::string& message) {
    const auto answer = Call(operation, body);
    ASSERT_FALSE(answer.has_value()) << operation << body;
    EXPECT_EQ(answer.error().message, message) << operation << body;
    EXPECT_EQ(answer.error().code, code) << operation << body;
  }

  void ExpectInvalid(std::string_view operation, const std::string& body, const std::string& message) {
    ExpectError(operation, body, ErrorCode::kValidationException, message);
  }

  // "One or more parameter values were invalid: …".
  void ExpectInvalidParameter(std::string_view operation, const std::string& body, const std::string& message) {
    ExpectInvalid(operation, body, "One or more parameter values were invalid: " + message);
  }

  void Wait() { engine_->tables().WaitForBackgroundWork(); }

  std::unique_ptr<engine::Engine> engine_ =
      *engine::Engine::Open(storage::MakeMemoryStore(), {.region = "us-east-1", .account = "123456789012"});
  Service service_{*engine_};
};

// Parts of requests.
const std::string kPk = R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
                        R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}])";
const std::string kPkSk =
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}])";
const std::string kOnDemand = R"("BillingMode":"PAY_PER_REQUEST")";
const std::string kProvisioned = R"("ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6})";

std::string Create(const std::string& rest) { return R"({"TableName":"Orders",)" + rest + "}"; }
std::string Definitions(std::initializer_list<std::string_view> names) {
  std::string json = R"("AttributeDefinitions":[)";
  for (const std::string_view name : names) {
    if (json.back() != '[') json += ',';
    json += R"({"AttributeName":")" + std::string(name) + R"(","AttributeType":"S"})";
  }
  return json + "]";
}
// keys: "a:HASH,b:RANGE".
std::string KeySchema(std::string_view keys) {
  std::string json = R"("KeySchema":[)";
  while (!keys.empty()) {
    const std::string_view key = keys.substr(0, keys.find(','));
    keys.remove_prefix(std::min(keys.size(), key.size() + 1));
    if (json.back() != '[') json += ',';
    const std::size_t colon = key.find(':');
    json += R"({"AttributeName":")" + std::string(key.substr(0, colon)) + R"(","KeyType":")" +
            std::string(key.substr(colon + 1)) + R"("})";
  }
  return json + "]";
}
std::string Index(std::string_view name, std::string_view keys, std::string_view rest = "") {
  return R"({"IndexName":")" + std::string(name) + R"(",)" + KeySchema(keys) +
         (rest.empty() ? R"(,"Projection":{"ProjectionType":"ALL"}})" : "," + std::string(rest) + "}");
}
std::string Globals(const std::string& indexes) { return R"("GlobalSecondaryIndexes":[)" + indexes + "]"; }
std::string Locals(const std::string& indexes) { return R"("LocalSecondaryIndexes":[)" + indexes + "]"; }

TEST_F(TableOperations, CreateTableAnswersWithATableBeingCreated) {
  const std::string answer = Answer("CreateTable", Create(kPk + "," + kProvisioned));
  EXPECT_THAT(answer, testing::StartsWith(
                          R"({"TableDescription":{"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
                          R"("TableName":"Orders","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
                          R"("TableStatus":"CREATING","CreationDateTime":)"));
  EXPECT_THAT(answer, HasSubstr(R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,)"
                                R"("WriteCapacityUnits":6},"TableSizeBytes":0,"ItemCount":0,"TableArn":")" +
                                std::string(kArn) + R"(Orders","TableId":")"));
  EXPECT_THAT(answer, HasSubstr(R"("DeletionProtectionEnabled":false}})"));
  EXPECT_THAT(answer, Not(HasSubstr("BillingModeSummary")));
  EXPECT_THAT(answer, Not(HasSubstr("WarmThroughput")));
  const std::string table = Answer("DescribeTable", R"({"TableName":"Orders"})");
  EXPECT_THAT(table, testing::StartsWith(R"({"Table":{)"));
  EXPECT_THAT(table, HasSubstr(R"("TableStatus":"ACTIVE")"));
  EXPECT_THAT(table,
              HasSubstr(R"("WarmThroughput":{"ReadUnitsPerSecond":5,"WriteUnitsPerSecond":6,"Status":"ACTIVE"})"));
}

TEST_F(TableOperations, CreateTableOnDemandShowsItsBillingMode) {
  const std::string answer = Answer("CreateTable", Create(kPk + "," + kOnDemand));
  EXPECT_THAT(answer, HasSubstr(R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"})"));
  EXPECT_THAT(answer, HasSubstr(R"("ReadCapacityUnits":0,"WriteCapacityUnits":0)"));
  const std::string table = Answer("DescribeTable", R"({"TableName":"Orders"})");
  EXPECT_THAT(table, HasSubstr(R"("BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":)"));
  EXPECT_THAT(table, HasSubstr(R"({"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"})"));
}

TEST_F(TableOperations, CreateTableKeepsAllItIsGiven) {
  const std::string answer = Answer(
      "CreateTable",
      Create(Definitions({"sk", "pk", "g"}) + "," + kPkSk + "," + kOnDemand + "," +
             Locals(Index("local", "pk:HASH,g:RANGE",
                          R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["z","a"]})")) +
             "," +
             Globals(Index(
                 "global", "g:HASH,pk:HASH,sk:RANGE",
                 R"("Projection":{"ProjectionType":"KEYS_ONLY"},"OnDemandThroughput":{"MaxReadRequestUnits":7})")) +
             R"(,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"})"
             R"(,"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"abc"})"
             R"(,"TableClass":"STANDARD_INFREQUENT_ACCESS","DeletionProtectionEnabled":true)"
             R"(,"OnDemandThroughput":{"MaxWriteRequestUnits":9},"WarmThroughput":{"ReadUnitsPerSecond":13000})"
             R"(,"Tags":[{"Key":"k","Value":"v"}],"ResourcePolicy":"{}")"));
  for (const char* part : {
           R"("AttributeDefinitions":[{"AttributeName":"g","AttributeType":"S"},{"AttributeName":"pk")",
           R"("LocalSecondaryIndexes":[{"IndexName":"local","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
           R"({"AttributeName":"g","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE",)"
           R"("NonKeyAttributes":["a","z"]},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":")",
           R"("GlobalSecondaryIndexes":[{"IndexName":"global","KeySchema":[{"AttributeName":"g","KeyType":"HASH"},)"
           R"({"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
           R"("Projection":{"ProjectionType":"KEYS_ONLY"},"IndexStatus":"CREATING","ProvisionedThroughput":)",
           R"("OnDemandThroughput":{"MaxReadRequestUnits":7})",
           R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},"LatestStreamLabel":"20)",
           R"("SSEDescription":{"Status":"ENABLED","SSEType":"KMS",)"
           R"("KMSMasterKeyArn":"arn:aws:kms:us-east-1:123456789012:key/abc"})",
           R"("TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"})",
           R"("DeletionProtectionEnabled":true)",
           R"("OnDemandThroughput":{"MaxWriteRequestUnits":9})",
           R"("WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":4000,"Status":"UPDATING"})",
       }) {
    EXPECT_THAT(answer, HasSubstr(part));
  }
  EXPECT_THAT(answer, Not(HasSubstr("Backfilling")));
  EXPECT_EQ(Answer("ListTagsOfResource", R"({"ResourceArn":")" + std::string(kArn) + R"(Orders"})"),
            R"({"Tags":[{"Key":"k","Value":"v"}]})");
  EXPECT_EQ(engine_->FindTable("Orders")->resource_policy, "{}");
}

TEST_F(TableOperations, TableNameIsCheckedAloneAndFirst) {
  const std::string at = "at 'tableName' failed to satisfy constraint: Member must ";
  for (const char* operation : {"CreateTable", "DescribeTable", "DeleteTable", "UpdateTable", "UpdateTimeToLive"}) {
    ExpectInvalid(operation, "{}", "The parameter 'TableName' is required but was not present in the request");
    ExpectInvalid(operation, R"({"TableName":"ab"})",
                  "1 validation error detected: Value 'ab' " + at + "have length greater than or equal to 3");
    ExpectInvalid(operation, R"({"TableName":"","KeySchema":[]})",
                  "2 validation errors detected: Value '' " + at + "have length greater than or equal to 3; Value '' " +
                      at + "satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
    ExpectInvalid(
        operation, R"({"TableName":"a;bc"})",
        "1 validation error detected: Value 'a;bc' " + at + "satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
    const std::string longest(256, 'a');
    ExpectInvalid(
        operation, R"({"TableName":")" + longest + R"("})",
        "1 validation error detected: Value '" + longest + "' " + at + "have length less than or equal to 255");
  }
}

TEST_F(TableOperations, CreateTableReportsTheConstraintsOfMembersTogether) {
  ExpectInvalid("CreateTable", R"({"TableName":"abc"})",
                "2 validation errors detected: Value null at 'attributeDefinitions' failed to satisfy constraint: "
                "Member must not be null; Value null at 'keySchema' failed to satisfy constraint: Member must not be "
                "null");
  ExpectInvalid("CreateTable",
                R"({"TableName":"abc","AttributeDefinitions":[{}],"KeySchema":[],"BillingMode":"x",)"
                R"("ProvisionedThroughput":{"ReadCapacityUnits":0}})",
                "6 validation errors detected: "
                "Value null at 'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: Member must "
                "not be null; Value null at 'attributeDefinitions.1.member.attributeName' failed to satisfy "
                "constraint: Member must not be null; Value '[]' at 'keySchema' failed to satisfy constraint: Member "
                "must have length greater than or equal to 1; Value 'x' at 'billingMode' failed to satisfy constraint: "
                "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]; Value null at "
                "'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must not be null; "
                "Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have "
                "value greater than or equal to 1");
  ExpectInvalid("CreateTable", Create(Definitions({"pk"}) + "," + KeySchema("pk:INVALID") + "," + kProvisioned),
                "1 validation error detected: Value 'INVALID' at 'keySchema.1.member.keyType' failed to satisfy "
                "constraint: Member must satisfy enum value set: [HASH, RANGE]");
}

TEST_F(TableOperations, AMemberOfTheWrongTypeComesBeforeAllElse) {
  ExpectError("CreateTable", R"({"TableName":"","KeySchema":"x"})", ErrorCode::kSerializationException,
              "Unexpected field type");
  ExpectError("DescribeTable", R"({"TableName":1})", ErrorCode::kSerializationException,
              "NUMBER_VALUE cannot be converted to String");
  ExpectError("ListTables", "nonsense", ErrorCode::kSerializationException, "");
}

TEST_F(TableOperations, CreateTableChecksBillingBeforeKeys) {
  ExpectInvalidParameter("CreateTable", Create(kPk + "," + kOnDemand + "," + kProvisioned),
                         "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
                         "PAY_PER_REQUEST");
  ExpectInvalidParameter("CreateTable", Create(Definitions({}) + "," + KeySchema("a:HASH,b:RANGE,c:RANGE")),
                         "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
                         "PROVISIONED");
  ExpectInvalid("CreateTable",
                Create(kPk + R"(,"ProvisionedThroughput":{"ReadCapacityUnits":1000000000001,"WriteCapacityUnits":1})"),
                "Given value 1000000000001 for ReadCapacityUnits is out of bounds");
}

TEST_F(TableOperations, CreateTableChecksTheKeyOfTheTable) {
  const auto create = [](const std::string& definitions, std::string_view keys) {
    return Create(definitions + "," + KeySchema(keys) + "," + kOnDemand);
  };
  ExpectInvalid("CreateTable", create(Definitions({"a", "b", "c"}), "a:HASH,b:RANGE,c:RANGE"),
                "1 validation error detected: Value '[KeySchemaElement(attributeName=a, keyType=HASH), "
                "KeySchemaElement(attributeName=b, keyType=RANGE), KeySchemaElement(attributeName=c, keyType=RANGE)]' "
                "at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2");
  ExpectInvalid("CreateTable", create(Definitions({"a", "a"}), "a:HASH"), "Attribute Name is duplicated: a");
  ExpectInvalid("CreateTable", create(Definitions({"a"}), "a:HASH,a:RANGE"),
                "Invalid KeySchema: Some index key attribute have no definition");
  ExpectInvalidParameter("CreateTable", create(Definitions({"b"}), "a:HASH"),
                         "Some index key attributes are not defined in AttributeDefinitions. Keys: [a], "
                         "AttributeDefinitions: [b]");
  ExpectInvalid("CreateTable", create(Definitions({"a", "b"}), "a:HASH,a:RANGE"),
                "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  ExpectInvalid("CreateTable", create(Definitions({"a"}), "a:RANGE"),
                "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  ExpectInvalid("CreateTable", create(Definitions({"a", "b"}), "a:HASH,b:HASH"),
                "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  ExpectInvalidParameter("CreateTable", create(Definitions({"a", "b"}), "a:HASH"),
                         "Number of attributes in KeySchema does not exactly match number of attributes defined in "
                         "AttributeDefinitions");
}

TEST_F(TableOperations, CreateTableChecksIndexes) {
  const auto create = [](const std::string& definitions, const std::string& indexes) {
    return Create(definitions + "," + kPkSk + "," + kOnDemand + "," + indexes);
  };
  const std::string three = Definitions({"pk", "sk", "x"});
  ExpectInvalidParameter("CreateTable", create(Definitions({"pk", "sk"}), Locals("")),
                         "List of LocalSecondaryIndexes is empty");
  ExpectInvalidParameter("CreateTable", create(Definitions({"pk", "sk"}), Globals("")),
                         "List of GlobalSecondaryIndexes is empty");
  ExpectInvalidParameter(
      "CreateTable",
      Create(Definitions({"pk", "x"}) + "," + KeySchema("pk:HASH") + "," + kOnDemand + "," +
             Locals(Index("local", "pk:HASH,x:RANGE"))),
      "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex");
  ExpectInvalidParameter("CreateTable", create(three, Globals(Index("one", "y:HASH"))),
                         "Some index key attributes are not defined in AttributeDefinitions. Keys: [y], "
                         "AttributeDefinitions: [pk, sk, x]");
  ExpectInvalidParameter("CreateTable", create(Definitions({"pk", "sk", "x", "y"}), Globals(Index("one", "x:HASH"))),
                         "Some AttributeDefinitions are not used. AttributeDefinitions: [pk, sk, x, y], keys used: "
                         "[pk, sk, x]");
  ExpectInvalidParameter("CreateTable", create(three, Locals(Index("local", "x:HASH,sk:RANGE"))),
                         "Index KeySchema does not have the same leading hash key as table KeySchema for index: local. "
                         "index hash key: x, table hash key: pk");
  ExpectInvalidParameter("CreateTable",
                         create(three, Locals(Index("local", "pk:HASH")) + "," + Globals(Index("one", "x:HASH"))),
                         "Index KeySchema does not have a range key for index: local");
  ExpectInvalidParameter("CreateTable", create(three, Globals(Index("one", "x:HASH") + "," + Index("one", "x:HASH"))),
                         "Duplicate index name: one");
  ExpectInvalidParameter("CreateTable", create(three, Globals(Index("one", "x:HASH", R"("Projection":{})"))),
                         "Unknown ProjectionType: null");
  ExpectInvalidParameter(
      "CreateTable",
      create(three,
             Globals(Index("one", "x:HASH", R"("Projection":{"ProjectionType":"ALL","NonKeyAttributes":["a"]})"))),
      "ProjectionType is ALL, but NonKeyAttributes is specified");
  ExpectInvalidParameter("CreateTable",
                         create(three, Globals(Index("one", "x:HASH", R"("Projection":{"ProjectionType":"INCLUDE"})"))),
                         "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  ExpectInvalidParameter(
      "CreateTable",
      create(three, Globals(Index("one", "x:HASH", R"("Projection":{"ProjectionType":"ALL"},)" + kProvisioned))),
      "ProvisionedThroughput should not be specified for index: one when BillingMode is "
      "PAY_PER_REQUEST");
  ExpectInvalid("CreateTable",
                create(three, Globals(Index("", "x:HASH")) + "," + Locals(Index("ab", "pk:HASH,x:RANGE"))),
                "3 validation errors detected: Value '' at 'globalSecondaryIndexes.1.member.indexName' failed to "
                "satisfy constraint: Member must have length greater than or equal to 3; Value '' at "
                "'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must satisfy regular "
                "expression pattern: [a-zA-Z0-9_.-]+; Value 'ab' at 'localSecondaryIndexes.1.member.indexName' failed "
                "to satisfy constraint: Member must have length greater than or equal to 3");
}

TEST_F(TableOperations, GlobalIndexesHaveUpToFourAttributesOfEachKind) {
  const auto create = [&](std::string_view keys) {
    std::string used = R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"})";
    for (const char name : std::string_view("abcdefghi")) {
      if (keys.contains(std::string(1, name) + ":")) {
        used += std::string(R"(,{"AttributeName":")") + name + R"(","AttributeType":"S"})";
      }
    }
    return Create(used + "]," + KeySchema("pk:HASH") + "," + kOnDemand + "," + Globals(Index("one", keys)));
  };
  ExpectInvalidParameter("CreateTable", create("a:HASH,b:HASH,c:HASH,d:HASH,e:HASH"),
                         "The KeySchema exceeds the maximum allowed number of HASH key attributes");
  ExpectInvalidParameter("CreateTable", create("a:HASH,b:RANGE,c:RANGE,d:RANGE,e:RANGE,f:RANGE"),
                         "The KeySchema exceeds the maximum allowed number of RANGE key attributes");
  ExpectInvalidParameter("CreateTable", create("a:HASH,b:RANGE,c:HASH"),
                         "All HASH key attributes must precede RANGE key attributes in the KeySchema");
  ExpectInvalid("CreateTable", create("a:HASH,b:HASH,a:RANGE"),
                "The KeySchema contains multiple key attributes with the same name");
  ExpectInvalid("CreateTable", create("a:HASH,a:RANGE"),
                "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  ExpectInvalid("CreateTable", create("a:RANGE"),
                "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  Answer("CreateTable", create("a:HASH,b:HASH,c:HASH,d:HASH,e:RANGE,f:RANGE,g:RANGE,h:RANGE"));
}

TEST_F(TableOperations, CreateTableChecksSettings) {
  const auto create = [](const std::string& rest) { return Create(kPk + "," + kOnDemand + "," + rest); };
  ExpectInvalidParameter("CreateTable",
                         Create(kPk + "," + kProvisioned + R"(,"OnDemandThroughput":{"MaxReadRequestUnits":1})"),
                         "MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is "
                         "PROVISIONED.");
  ExpectInvalidParameter("CreateTable", create(R"("OnDemandThroughput":{"MaxWriteRequestUnits":0})"),
                         "Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range");
  ExpectInvalidParameter("CreateTable", create(R"("StreamSpecification":{"StreamEnabled":true})"),
                         "Table is being created with a stream enabled, UpdateViewType is required");
  ExpectInvalidParameter("CreateTable", create(R"("SSESpecification":{"Enabled":true,"KMSMasterKeyId":"k"})"),
                         "SSEType KMS is required if KMSMasterKeyId is specified");
  ExpectInvalid("CreateTable", create(R"("TableClass":"GOLD")"),
                "Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, "
                "STANDARD_INFREQUENT_ACCESS].");
  ExpectInvalid("CreateTable", create(R"("Tags":[{"Value":"v"}])"), "The Tag Key provided is invalid, Key: null");
  ExpectInvalidParameter("CreateTable", create(R"("ResourcePolicy":"{")"),
                         "Invalid policy document: This policy contains invalid Json");
  ExpectInvalidParameter("CreateTable", create(R"("VectorIndexes":[{}])"), "Vector indexes are not supported");
  ExpectError("DescribeTable", R"({"TableName":"Orders"})", ErrorCode::kResourceNotFoundException,
              "Requested resource not found: Table: Orders not found");
}

TEST_F(TableOperations, CreateTableRefusesATakenNameAndTooMuchThroughput) {
  Answer("CreateTable", Create(kPk + "," + kOnDemand));
  ExpectError("CreateTable", Create(kPk + "," + kOnDemand), ErrorCode::kResourceInUseException,
              "Table already exists: Orders");
  ExpectError("CreateTable",
              R"({"TableName":"Other",)" + kPk +
                  R"(,"ProvisionedThroughput":{"ReadCapacityUnits":40001,"WriteCapacityUnits":1}})",
              ErrorCode::kLimitExceededException,
              "The requested ReadCapacityUnits, 40001, is above the per table maximum for the account in us-east-1. "
              "Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for current limits and how to "
              "request higher limits.");
}

TEST_F(TableOperations, ATableMayBeNamedByItsArn) {
  const std::string by_arn = R"({"TableName":")" + std::string(kArn) + R"(Orders"})";
  Answer("CreateTable", Create(kPk + "," + kOnDemand));
  EXPECT_THAT(Answer("DescribeTable", by_arn), HasSubstr(R"("TableName":"Orders")"));
  ExpectInvalid("DescribeTable", R"({"TableName":"arn:aws:dynamodb:eu-west-1:123456789012:table/Orders"})",
                "1 validation error detected: Invalid AWS region in "
                "'arn:aws:dynamodb:eu-west-1:123456789012:table/Orders'");
  ExpectError("DescribeTable", R"({"TableName":"arn:aws:dynamodb:us-east-1:999999999999:table/Orders"})",
              ErrorCode::kAccessDeniedException, "Access is denied");
  Answer("DeleteTable", by_arn);
}

TEST_F(TableOperations, DeleteTableAnswersWithoutKeysAndIndexes) {
  Answer("CreateTable", Create(Definitions({"pk", "g"}) + "," + KeySchema("pk:HASH") + "," + kOnDemand + "," +
                               Globals(Index("one", "g:HASH"))));
  const std::string answer = Answer("DeleteTable", R"({"TableName":"Orders"})");
  EXPECT_THAT(answer, testing::StartsWith(R"({"TableDescription":{"TableName":"Orders","TableStatus":"DELETING",)"));
  for (const char* member : {"KeySchema", "AttributeDefinitions", "CreationDateTime", "GlobalSecondaryIndexes"}) {
    EXPECT_THAT(answer, Not(HasSubstr(member)));
  }
  ExpectError("DeleteTable", R"({"TableName":"Orders"})", ErrorCode::kResourceNotFoundException,
              "Requested resource not found: Table: Orders not found");
  Answer("CreateTable", Create(kPk + "," + kOnDemand));
}

TEST_F(TableOperations, DeletionProtectionProtects) {
  Answer("CreateTable", Create(kPk + "," + kOnDemand + R"(,"DeletionProtectionEnabled":true)"));
  ExpectInvalid("DeleteTable", R"({"TableName":"Orders"})",
                "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection "
                "first.");
  EXPECT_THAT(Answer("UpdateTable", R"({"TableName":"Orders","DeletionProtectionEnabled":false})"),
              HasSubstr(R"("TableStatus":"ACTIVE")"));
  Answer("DeleteTable", R"({"TableName":"Orders"})");
}

TEST_F(TableOperations, ListTablesPages) {
  EXPECT_EQ(Answer("ListTables", "{}"), R"({"TableNames":[]})");
  for (const char* name : {"bbb", "Ccc", "aaa"}) {
    Answer("CreateTable", R"({"TableName":")" + std::string(name) + R"(",)" + kPk + "," + kOnDemand + "}");
  }
  EXPECT_EQ(Answer("ListTables", "{}"), R"({"TableNames":["Ccc","aaa","bbb"]})");
  EXPECT_EQ(Answer("ListTables", R"({"Limit":2})"), R"({"TableNames":["Ccc","aaa"],"LastEvaluatedTableName":"aaa"})");
  EXPECT_EQ(Answer("ListTables", R"({"Limit":1,"ExclusiveStartTableName":"aaa"})"), R"({"TableNames":["bbb"]})");
  ExpectInvalid("ListTables", R"({"Limit":0})",
                "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have "
                "value greater than or equal to 1");
  ExpectInvalid("ListTables", R"({"Limit":101})",
                "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have "
                "value less than or equal to 100");
  ExpectInvalid("ListTables", R"({"ExclusiveStartTableName":"a;"})",
                "2 validation errors detected: Value 'a;' at 'exclusiveStartTableName' failed to satisfy constraint: "
                "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value 'a;' at "
                "'exclusiveStartTableName' failed to satisfy constraint: Member must have length greater than or equal "
                "to 3");
}

TEST_F(TableOperations, TagsComeAndGo) {
  Answer("CreateTable", Create(kPk + "," + kOnDemand));
  const std::string arn = R"("ResourceArn":")" + std::string(kArn) + R"(Orders")";
  EXPECT_EQ(Answer("ListTagsOfResource", "{" + arn + "}"), R"({"Tags":[]})");
  EXPECT_EQ(Answer("TagResource", "{" + arn + R"(,"Tags":[{"Key":"a","Value":"1"},{"Key":"b","Value":""}]})"), "");
  EXPECT_EQ(Answer("TagResource", "{" + arn + R"(,"Tags":[{"Key":"a","Value":"2"}]})"), "");
  EXPECT_EQ(Answer("ListTagsOfResource", "{" + arn + "}"),
            R"({"Tags":[{"Key":"a","Value":"2"},{"Key":"b","Value":""}]})");
  EXPECT_EQ(Answer("UntagResource", "{" + arn + R"(,"TagKeys":["a","none"]})"), "");
  EXPECT_EQ(Answer("ListTagsOfResource", "{" + arn + "}"), R"({"Tags":[{"Key":"b","Value":""}]})");

  ExpectInvalid("TagResource", "{" + arn + "}",
                "1 validation error detected: Value null at 'tags' failed to satisfy constraint: Member must not be "
                "null");
  ExpectInvalid("TagResource", "{" + arn + R"(,"Tags":[]})", "Atleast one Tag needs to be provided as Input.");
  ExpectInvalid("UntagResource", "{" + arn + R"(,"TagKeys":[]})", "Atleast one Tag Key needs to be provided as Input.");
  ExpectInvalid("TagResource", "{" + arn + R"(,"Tags":[{"Key":"AWS:x","Value":""}]})",
                "Tag Key cannot be prefixed with aws:, Key: AWS:x");
  ExpectInvalid("TagResource", "{" + arn + R"(,"Tags":[{"Key":"x","Value":""},{"Key":"x","Value":""}]})",
                "Duplicate Tag Keys provided as input: Duplicate Tag Key found x");
  ExpectInvalid("TagResource", "{" + arn + R"(,"Tags":[{"Key":"x!","Value":""}]})",
                "The Tag Key provided is invalid, Key: x!");
}

TEST_F(TableOperations, TagsAreRefusedForWhatIsNoTableOfThisAccount) {
  const auto list = [](const std::string& arn) { return R"({"ResourceArn":")" + arn + R"("})"; };
  ExpectInvalid("ListTagsOfResource", "{}", "Invalid TableArn");
  ExpectInvalidParameter("ListTagsOfResource", list("not-an-arn"), "ARNs must start with 'arn:': not-an-arn");
  ExpectInvalidParameter("ListTagsOfResource", list("arn:aws:s3:::bucket"),
                         "Provided Arn is not a DynamoDB resource arn: arn:aws:s3:::bucket");
  ExpectError("ListTagsOfResource", list("arn:aws:dynamodb:us-east-1:000000000000:table/none"),
              ErrorCode::kAccessDeniedException, "Access is denied");
  const std::string none = std::string(kArn) + "none";
  ExpectError("ListTagsOfResource", list(none), ErrorCode::kResourceNotFoundException,
              "Requested resource not found: ResourceArn: " + none + " not found");
}

TEST_F(TableOperations, TimeToLiveIsSwitchedOnAndOff) {
  Answer("CreateTable", Create(kPk + "," + kOnDemand));
  const auto update = [](const char* attribute, const char* enabled) {
    return std::string(R"({"TableName":"Orders","TimeToLiveSpecification":{"AttributeName":")") + attribute +
           R"(","Enabled":)" + enabled + "}}";
  };
  const std::string describe = R"({"TableName":"Orders"})";
  EXPECT_EQ(Answer("DescribeTimeToLive", describe), R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
  ExpectInvalid("UpdateTimeToLive", update("ttl", "false"), "TimeToLive is already disabled");
  EXPECT_EQ(Answer("UpdateTimeToLive", update("ttl", "true")),
            R"({"TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})");
  EXPECT_EQ(Answer("DescribeTimeToLive", describe),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"ttl"}})");
  ExpectInvalid("UpdateTimeToLive", update("ttl", "true"), "TimeToLive is already enabled");
  ExpectInvalid("UpdateTimeToLive", update("other", "true"),
                "TimeToLive is active on a different AttributeName: current AttributeName is ttl");
  Answer("UpdateTimeToLive", update("ttl", "false"));
  EXPECT_EQ(Answer("DescribeTimeToLive", describe), R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
  ExpectInvalid("UpdateTimeToLive", R"({"TableName":"Orders","TimeToLiveSpecification":{}})",
                "2 validation errors detected: Value null at 'timeToLiveSpecification.attributeName' failed to satisfy "
                "constraint: Member must not be null; Value null at 'timeToLiveSpecification.enabled' failed to "
                "satisfy constraint: Member must not be null");
  ExpectError("DescribeTimeToLive", R"({"TableName":"none"})", ErrorCode::kResourceNotFoundException,
              "Requested resource not found: Table: none not found");
}

TEST_F(TableOperations, LimitsAndEndpointsAreTold) {
  EXPECT_EQ(Answer("DescribeLimits", "{}"),
            R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,)"
            R"("TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000})");
  EXPECT_EQ(Answer("DescribeEndpoints", "{}"),
            R"({"Endpoints":[{"Address":"dynamodb.us-east-1.amazonaws.com","CachePeriodInMinutes":1440}]})");
}

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
  const auto replica = [](const char* region) {
    return Create(std::string(R"("ReplicaUpdates":[{"Create":{"RegionName":")") + region + R"("}}])");
  };
  ExpectInvalid("UpdateTable", replica("us-east-1"),
                "Cannot add, delete, or update the local region through ReplicaUpdates. Use CreateTable, DeleteTable, "
                "or UpdateTable as required.");
  ExpectInvalidParameter("UpdateTable", replica("eu-west-1"), "Replication to region eu-west-1 is not supported");
  ExpectInvalidParameter("UpdateTable", Create(R"("MultiRegionConsistency":"STRONG")"),
                         "MultiRegionConsistency is not supported");
}

}  // namespace
}  // namespace taula::api
