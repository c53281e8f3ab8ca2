#include "design/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "design/test_design.h"

namespace taula::design {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

constexpr std::string_view kDesign = R"(
design: kefir
tables:
  main:
    name: kefir-{stage}
    key: { partition: PK, sort: SK }
    indexes:
      GSI1: { partition: GSI1PK, sort: GSI1SK }
entities:
  User:
    key: { PK: "USER#{userId}", SK: PROFILE }
    attributes: { userId: string, name: string }
  Batch:
    key: { PK: "USER#{userId}", SK: "BATCH#{batchId}" }
    indexes:
      GSI1: { GSI1PK: "STATUS#{status}", GSI1SK: "{createdAt}" }
    attributes:
      userId: string
      batchId: string
      status: { type: enum, values: [active, done], default: active }
      createdAt: { type: timestamp, set: on-create }
      updatedAt: { type: timestamp, set: on-write }
      notes: string
  Reminder:
    key: { PK: "USER#{userId}", SK: "REMINDER#{dueAt}#{id}" }
    soft-delete: deletedAt
    attributes: { userId: string, dueAt: timestamp, id: string, deletedAt: timestamp }
operations:
  user:           { get: User }
  everything:     { query: [User, Batch, Reminder], by: [userId] }
  batches:        { query: Batch, by: [userId] }
  batchesBackwards: { query: Batch, by: [userId], order: descending }
  withStatus:     { query: Batch, index: GSI1, by: [status] }
  dueReminders:   { query: Reminder, by: [userId], where: { dueAt: { before: "{now}" } } }
  scanBatches:    { scan: Batch }
  startBatch:     { create: Batch }
  keepBatch:      { put: Batch }
  finish:         { update: Batch, set: { status: done } }
  annotate:       { update: Batch, change: [notes] }
  dropBatch:      { delete: Batch }
  dropReminder:   { delete: Reminder }
  someBatches:    { batch-get: Batch }
  moveIn:
    transaction:
      - create: User
      - for: batch in batches
        create: Batch
)";

class ExplainTest : public testing::Test {
 protected:
  Explanation Of(std::string_view operation, const std::string& body, const std::string& answer = "{}") {
    const auto request = ReadRawRequest(operation, body);
    EXPECT_TRUE(request) << body;
    return Explain({{&design_, "test"}}, request.value_or(RawRequest()), answer);
  }
  // The operations that it finds, of one design.
  std::vector<std::string> OperationsOf(std::string_view operation, const std::string& members) {
    std::vector<std::string> names;
    for (const auto& [design, name] : Of(operation, R"({"TableName":"kefir-test",)" + members + "}").operations) {
      EXPECT_EQ(design, "kefir");
      names.push_back(name);
    }
    return names;
  }

  const Design design_ = DesignFrom(kDesign);
};

std::string Query(const std::string& condition, const std::string& values, const std::string& more = "") {
  return R"("KeyConditionExpression":")" + condition + R"(","ExpressionAttributeValues":{)" + values + "}" + more;
}
const std::string kAda = R"(":p":{"S":"USER#ada"})";

std::vector<std::string> CodesOf(const Explanation& explanation) {
  std::vector<std::string> codes;
  for (const Advice& advice : explanation.advice) codes.push_back(advice.code);
  return codes;
}

TEST_F(ExplainTest, FindsTheOperationOfAGet) {
  const Explanation explanation = Of(
      "GetItem", R"({"TableName":"kefir-test","Key":{"PK":{"S":"USER#ada"},"SK":{"S":"PROFILE"}}})",
      R"({"Item":{},"ConsumedCapacity":{"TableName":"kefir-test","CapacityUnits":0.5,"Table":{"CapacityUnits":0.5}}})");
  EXPECT_THAT(explanation.operations, ElementsAre(Pair("kefir", "user")));
  EXPECT_THAT(explanation.entities, ElementsAre("User"));
  EXPECT_THAT(explanation.tables, ElementsAre("kefir-test"));
  EXPECT_EQ(explanation.access, "key");
  EXPECT_EQ(explanation.read_units, 0.5);
  EXPECT_THAT(explanation.advice, IsEmpty());
}

TEST_F(ExplainTest, FindsTheOperationOfAQueryByItsKeys) {
  EXPECT_THAT(OperationsOf("Query", Query("PK = :p AND begins_with(SK, :s)", kAda + R"(,":s":{"S":"BATCH#"})")),
              ElementsAre("batches"));
  EXPECT_THAT(OperationsOf("Query", Query("PK = :p AND begins_with(SK, :s)", kAda + R"(,":s":{"S":"BATCH#"})",
                                          R"(,"ScanIndexForward":false)")),
              ElementsAre("batchesBackwards"));
  EXPECT_THAT(OperationsOf("Query", Query("PK = :p", kAda)), ElementsAre("everything"));
  EXPECT_THAT(OperationsOf("Query", Query("#p = :p", R"(":p":{"S":"STATUS#active"})",
                                          R"(,"IndexName":"GSI1","ExpressionAttributeNames":{"#p":"GSI1PK"})")),
              ElementsAre("withStatus"));
}

TEST_F(ExplainTest, FindsTheOperationOfARange) {
  EXPECT_THAT(OperationsOf("Query", Query("PK = :p AND SK BETWEEN :a AND :b",
                                          kAda + R"(,":a":{"S":"REMINDER#"},":b":{"S":"REMINDER#2026-01-01"})")),
              ElementsAre("dueReminders"));
  EXPECT_THAT(OperationsOf("Query", Query("PK = :p AND begins_with(SK, :s)", kAda + R"(,":s":{"S":"REMINDER#"})")),
              IsEmpty());
}

TEST_F(ExplainTest, TakesKeyConditionsOfOldApplications) {
  EXPECT_THAT(OperationsOf("Query", R"("KeyConditions":{
      "PK":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"USER#ada"}]},
      "SK":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"S":"BATCH#"}]}})"),
              ElementsAre("batches"));
}

TEST_F(ExplainTest, FindsNothingForKeysOfNoEntity) {
  EXPECT_THAT(OperationsOf("Query", Query("PK = :p", R"(":p":{"S":"OTHER#ada"})")), IsEmpty());
  EXPECT_THAT(OperationsOf("GetItem", R"("Key":{"PK":{"S":"USER#ada"},"SK":{"S":"OTHER"}})"), IsEmpty());
}

TEST_F(ExplainTest, TellsAllEntitiesThatARangeCanHold) {
  const auto entities = [&](const std::string& condition, const std::string& values) {
    return Of("Query", R"({"TableName":"kefir-test",)" + Query(condition, values) + "}").entities;
  };
  EXPECT_THAT(entities("PK = :p", kAda), ElementsAre("User", "Batch", "Reminder"));
  EXPECT_THAT(entities("PK = :p AND SK > :s", kAda + R"(,":s":{"S":"C"})"), ElementsAre("User", "Reminder"));
  EXPECT_THAT(entities("PK = :p AND begins_with(SK, :s)", kAda + R"(,":s":{"S":"BA"})"), ElementsAre("Batch"));
}

TEST_F(ExplainTest, FindsTheOperationOfAWrite) {
  const std::string item = R"("Item":{"PK":{"S":"USER#ada"},"SK":{"S":"BATCH#1"}})";
  const std::string key = R"("Key":{"PK":{"S":"USER#ada"},"SK":{"S":"BATCH#1"}})";
  EXPECT_THAT(OperationsOf("PutItem", item), ElementsAre("keepBatch"));
  EXPECT_THAT(OperationsOf("PutItem", item + R"x(,"ConditionExpression":"attribute_not_exists(PK)")x"),
              ElementsAre("startBatch"));
  EXPECT_THAT(OperationsOf("UpdateItem", key + R"(,"UpdateExpression":"SET #s = :s, updatedAt = :u, GSI1PK = :k",
                           "ExpressionAttributeNames":{"#s":"status"})"),
              ElementsAre("finish"));
  EXPECT_THAT(OperationsOf("UpdateItem", key + R"(,"UpdateExpression":"SET notes = :s")"), ElementsAre("annotate"));
  EXPECT_THAT(OperationsOf("DeleteItem", key), ElementsAre("dropBatch"));
}

TEST_F(ExplainTest, KnowsASoftDelete) {
  EXPECT_THAT(OperationsOf("UpdateItem", R"("Key":{"PK":{"S":"USER#ada"},"SK":{"S":"REMINDER#2026#1"}},
                           "UpdateExpression":"SET deletedAt = :now")"),
              ElementsAre("dropReminder"));
}

TEST_F(ExplainTest, FindsTheOperationOfABatch) {
  const Explanation explanation =
      Of("BatchGetItem",
         R"({"RequestItems":{"kefir-test":{"Keys":[{"PK":{"S":"USER#a"},"SK":{"S":"BATCH#1"}},
            {"PK":{"S":"USER#b"},"SK":{"S":"BATCH#2"}}]}}})",
         R"({"ConsumedCapacity":[{"TableName":"kefir-test","CapacityUnits":1.0,"Table":{"CapacityUnits":1.0}}]})");
  EXPECT_THAT(explanation.operations, ElementsAre(Pair("kefir", "someBatches")));
  EXPECT_EQ(explanation.read_units, 1.0);
}

TEST_F(ExplainTest, FindsTheOperationOfATransaction) {
  const std::string user = R"x({"Put":{"TableName":"kefir-test","ConditionExpression":"attribute_not_exists(PK)",
                    "Item" : {
    "PK" : {"S" : "USER#a"}, "SK" : { "S" : "PROFILE" }
  }
}
})x";
  const std::string batch = R"x({"Put":{"TableName":"kefir-test","ConditionExpression":"attribute_not_exists(PK)",
                                "Item":{
  "PK" : {"S" : "USER#a"}, "SK" : { "S" : "BATCH#1" }
}
}
})x";
  const auto names = [&](const std::string& items) {
    return Of("TransactWriteItems", R"({"TransactItems":[)" + items + "]}").operations;
  };
  EXPECT_THAT(names(user), ElementsAre(Pair("kefir", "moveIn")));
  EXPECT_THAT(names(user + "," + batch + "," + batch), ElementsAre(Pair("kefir", "moveIn")));
  EXPECT_THAT(names(batch), IsEmpty());
  EXPECT_THAT(names(user + "," + user), IsEmpty());
}

TEST_F(ExplainTest, TellsTheCostOfEachIndexOfAWrite) {
  const Explanation explanation =
      Of("PutItem", R"({"TableName":"kefir-test","Item":{"PK":{"S":"USER#a"},"SK":{"S":"BATCH#1"}}})",
         R"({"ConsumedCapacity":{"TableName":"kefir-test","CapacityUnits":3.0,"Table":{"CapacityUnits":1.0},
             "GlobalSecondaryIndexes":{"GSI1":{"CapacityUnits":2.0}}}})");
  EXPECT_EQ(explanation.write_units, 3.0);
  EXPECT_EQ(explanation.read_units, 0.0);
  EXPECT_THAT(explanation.units_by_source, ElementsAre(Pair("kefir-test", 1.0), Pair("GSI1", 2.0)));
}

TEST_F(ExplainTest, AdvisesAgainstAFilterThatDropsMost) {
  const std::string request =
      R"({"TableName":"kefir-test",)" + Query("PK = :p", kAda, R"(,"FilterExpression":"a = :p")") + "}";
  const Explanation explanation = Of("Query", request, R"({"Count":2,"ScannedCount":200})");
  EXPECT_EQ(explanation.read, 200);
  EXPECT_EQ(explanation.returned, 2);
  EXPECT_THAT(CodesOf(explanation), ElementsAre("filter-drops-most"));
  EXPECT_THAT(explanation.advice[0].text, HasSubstr("198 of 200"));
  EXPECT_THAT(CodesOf(Of("Query", request, R"({"Count":20,"ScannedCount":200})")), IsEmpty());
  EXPECT_THAT(CodesOf(Of("Query", request, R"({"Count":0,"ScannedCount":3})")), IsEmpty());
}

TEST_F(ExplainTest, AdvisesAQueryInsteadOfAScan) {
  const Explanation explanation =
      Of("Scan", R"({"TableName":"kefir-test","FilterExpression":"#s = :s AND size(notes) > :n",
      "ExpressionAttributeNames":{"#s":"status"},"ExpressionAttributeValues":{":s":{"S":"active"},":n":{"N":"1"}}})");
  EXPECT_THAT(CodesOf(explanation), ElementsAre("query-would-do"));
  EXPECT_THAT(explanation.advice[0].text, HasSubstr("the index GSI1 with GSI1PK = 'STATUS#{status}'"));
  EXPECT_THAT(explanation.operations, ElementsAre(Pair("kefir", "scanBatches")));
  EXPECT_THAT(CodesOf(Of("Scan", R"({"TableName":"kefir-test","FilterExpression":"PK = :s"})")),
              ElementsAre("query-would-do"));
  EXPECT_THAT(CodesOf(Of("Scan", R"({"TableName":"kefir-test","FilterExpression":"notes = :s"})")),
              ElementsAre("scan"));
  EXPECT_THAT(CodesOf(Of("Scan", R"({"TableName":"kefir-test"})")), IsEmpty());
}

TEST_F(ExplainTest, AdvisesALimitWhereAPageIsFull) {
  const std::string answer = R"({"Count":9,"ScannedCount":9,"LastEvaluatedKey":{"PK":{"S":"x"}}})";
  EXPECT_THAT(CodesOf(Of("Scan", R"({"TableName":"kefir-test"})", answer)), ElementsAre("no-limit"));
  EXPECT_THAT(CodesOf(Of("Scan", R"({"TableName":"kefir-test","Limit":9})", answer)), IsEmpty());
}

TEST_F(ExplainTest, SaysWhatAmazonRefuses) {
  const auto codes = [&](const std::string& condition, const std::string& values) {
    return CodesOf(Of("Query", R"({"TableName":"kefir-test",)" + Query(condition, values) + "}"));
  };
  EXPECT_THAT(codes("PK = :p", kAda), IsEmpty());
  EXPECT_THAT(codes("begins_with(PK, :p)", kAda), ElementsAre("refused-by-amazon"));
  EXPECT_THAT(codes("SK = :p", kAda), ElementsAre("refused-by-amazon"));
  EXPECT_THAT(codes("PK = :p AND SK >= :a AND SK <= :b", kAda + R"(,":a":{"S":"A"},":b":{"S":"B"})"),
              ElementsAre("refused-by-amazon"));
}

TEST_F(ExplainTest, WorksWithoutADesign) {
  const auto request = ReadRawRequest("Query", R"({"TableName":"t","IndexName":"i",)" + Query("a = :p", kAda) + "}");
  const Explanation explanation = Explain({}, *request, R"({"Count":1,"ScannedCount":1})");
  EXPECT_THAT(explanation.tables, ElementsAre("t"));
  EXPECT_EQ(explanation.index, "i");
  EXPECT_EQ(explanation.access, "query");
  EXPECT_THAT(explanation.operations, IsEmpty());
  EXPECT_THAT(explanation.advice, IsEmpty());
}

TEST_F(ExplainTest, SaysWhichErrorCame) {
  const auto request = ReadRawRequest("GetItem", R"({"TableName":"none","Key":{}})");
  const Explanation explanation = Explain({}, *request, Fail(ErrorCode::kResourceNotFoundException, "gone"));
  EXPECT_EQ(explanation.error, "ResourceNotFoundException");
}

TEST_F(ExplainTest, TakesAnyRequestThatIsJson) {
  for (const char* body : {"{}", R"({"TableName":1})", R"x({"TableName":"kefir-test","KeyConditionExpression":"((("})x",
                           R"({"TableName":"kefir-test","Key":{"PK":{"N":"x"}}})", R"({"RequestItems":[]})",
                           R"({"TransactItems":[1,{"Put":2},{"Get":{}}]})", R"({"RequestItems":{"kefir-test":3}})"}) {
    for (const char* operation : {"GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan", "BatchGetItem",
                                  "BatchWriteItem", "TransactGetItems", "TransactWriteItems"}) {
      EXPECT_THAT(ExplanationJson(Of(operation, body)), HasSubstr(operation));
    }
  }
  EXPECT_FALSE(ReadRawRequest("Query", "{"));
  EXPECT_FALSE(ReadRawRequest("ListTables", "{}"));
}

TEST(ExplanationJson, IsOneShortLineOfAscii) {
  Explanation explanation;
  explanation.operation = "Query";
  explanation.tables = {"Bücher 🥛\n"};
  const std::string json = ExplanationJson(explanation);
  EXPECT_THAT(json, HasSubstr(R"("tables":["B\u00fccher \ud83e\udd5b\n"])"));
  for (int i = 0; i < 1000; ++i) {
    explanation.tables.push_back("table" + std::to_string(i));
    explanation.advice.push_back({"code", std::string(3000, 'x')});
  }
  const std::string shortened = ExplanationJson(explanation);
  EXPECT_LT(shortened.size(), 4096U);
  EXPECT_THAT(shortened, HasSubstr(R"("operation":"Query")"));
  EXPECT_TRUE(std::ranges::all_of(json + shortened, [](char c) { return c >= ' ' && c <= '~'; }));
}

TEST(ConsumedCapacity, IsAskedForWhateverTheRequestSays) {
  EXPECT_EQ(WithAllCapacity(R"({"TableName":"t"})"), R"({"TableName":"t","ReturnConsumedCapacity":"INDEXES"})");
  EXPECT_EQ(WithAllCapacity(R"({"ReturnConsumedCapacity":"NONE","TableName":"t"})"),
            R"({"TableName":"t","ReturnConsumedCapacity":"INDEXES"})");
}

TEST(ConsumedCapacity, IsTakenOutOfTheAnswerAgain) {
  const std::string answer =
      R"({"Items":[],"ConsumedCapacity":{"TableName":"t","CapacityUnits":2.0,"Table":{"CapacityUnits":1.0},)"
      R"("GlobalSecondaryIndexes":{"i":{"CapacityUnits":1.0}}},"Count":0})";
  EXPECT_EQ(WithoutUnwantedCapacity(answer, ReturnConsumedCapacity::kNone), R"({"Items":[],"Count":0})");
  EXPECT_EQ(WithoutUnwantedCapacity(answer, ReturnConsumedCapacity::kTotal),
            R"({"Items":[],"ConsumedCapacity":{"TableName":"t","CapacityUnits":2.0},"Count":0})");
  EXPECT_EQ(WithoutUnwantedCapacity(answer, ReturnConsumedCapacity::kIndexes), answer);
  EXPECT_EQ(WithoutUnwantedCapacity(
                R"({"ConsumedCapacity":[{"TableName":"a","Table":{}},{"TableName":"b","CapacityUnits":1.0}]})",
                ReturnConsumedCapacity::kTotal),
            R"({"ConsumedCapacity":[{"TableName":"a"},{"TableName":"b","CapacityUnits":1.0}]})");
}

}  // namespace
}  // namespace taula::design
