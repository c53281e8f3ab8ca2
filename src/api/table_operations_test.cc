#include "api/table_operations_testing.h"

namespace taula::api {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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
  engine_->tables().WaitForBackgroundWork();
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

}  // namespace
}  // namespace taula::api
