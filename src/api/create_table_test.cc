#include "api/table_operations_testing.h"

namespace taula::api {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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
             R"(,"Tags":[{"Key":"k","Value":"v"}],"ResourcePolicy":)"
             R"("{\"Statement\":{\"Effect\":\"Allow\",\"Principal\":{\"AWS\":\"123456789012\"},)"
             R"(\"Action\":[\"dynamodb:GetItem\"],\"Resource\":\"*\"}}")"));
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
  EXPECT_EQ(engine_->FindTable("Orders")->resource_policy,
            R"({"Statement":[{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::123456789012:root"},)"
            R"("Action":"dynamodb:GetItem","Resource":"*"}]})");
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

}  // namespace
}  // namespace taula::api
