#include "api/operations.h"
#include "api/wire_test.h"

namespace taula::api {
namespace {

class TransactionTest : public WireTest {
 protected:
  std::string Write(std::string_view actions, std::string_view rest = "") {
    return Call(TransactWriteItems, R"({"TransactItems":[)" + std::string(actions) + "]" + std::string(rest) + "}");
  }
  std::string Read(std::string_view gets, std::string_view rest = "") {
    return Call(TransactGetItems, R"({"TransactItems":[)" + std::string(gets) + "]" + std::string(rest) + "}");
  }
  static std::string Put(std::string_view key, std::string_view rest = "") {
    return R"({"Put":{"TableName":"hash","Item":{"pk":{"S":")" + std::string(key) + R"("}})" + std::string(rest) + "}}";
  }
  static std::string Get(std::string_view key, std::string_view rest = "") {
    return R"({"Get":{"TableName":"hash","Key":{"pk":{"S":")" + std::string(key) + R"("}})" + std::string(rest) + "}}";
  }
};

TEST_F(TransactionTest, WritesAndReadsTogether) {
  EXPECT_EQ(Write(Put("a") + R"(,{"Update":{"TableName":"hash","Key":{"pk":{"S":"b"}},"UpdateExpression":"SET n = :n",)"
                             R"("ExpressionAttributeValues":{":n":{"N":"1"}}}},)"
                             R"({"Delete":{"TableName":"hash","Key":{"pk":{"S":"c"}}}},)"
                             R"({"ConditionCheck":{"TableName":"hash","Key":{"pk":{"S":"d"}},)"
                             R"("ConditionExpression":"attribute_not_exists(pk) "}})"),
            "{}");
  EXPECT_EQ(Read(Get("a") + "," + Get("nobody") + "," + Get("b", R"(,"ProjectionExpression":"n")") + "," +
                     Get("a2", R"(,"ProjectionExpression":"n")"),
                 R"(,"ReturnConsumedCapacity":"INDEXES")"),
            R"({"Responses":[{"Item":{"pk":{"S":"a"}}},{},{"Item":{"n":{"N":"1"}}},{}],)"
            R"("ConsumedCapacity":[{"TableName":"hash","ReadCapacityUnits":8.0,"CapacityUnits":8.0,)"
            R"("Table":{"ReadCapacityUnits":8.0,"CapacityUnits":8.0}}]})");
}

TEST_F(TransactionTest, AnswersNoItemWhenTheProjectionLeavesNothing) {
  CallAll(TransactWriteItems, {R"({"TransactItems":[)" + Put("a") + "]}"});
  EXPECT_EQ(Read(Get("a", R"(,"ProjectionExpression":"nothing")")), R"({"Responses":[{}]})");
}

TEST_F(TransactionTest, IsCancelledAsAWhole) {
  CallAll(PutItem, {R"({"TableName":"hash","Item":{"pk":{"S":"there"}}})"});
  const Result<std::string> result =
      CallForResult(TransactWriteItems, R"({"TransactItems":[)" + Put("new") + "," +
                                            Put("there", R"(,"ConditionExpression":"attribute_not_exists(pk) ",)"
                                                         R"("ReturnValuesOnConditionCheckFailure":"ALL_OLD")") +
                                            R"(,{"Put":{"TableName":"hash","Item":{"pk":{"N":"1"}}}},)"
                                            R"({"Delete":{"TableName":"hash","Key":{"x":{"S":"y"}}}}]})");
  ASSERT_FALSE(result);
  const Error& error = result.error();
  EXPECT_EQ(error.code, ErrorCode::kTransactionCanceledException);
  EXPECT_EQ(error.message,
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
            "ConditionalCheckFailed, ValidationError, ValidationError]");
  ASSERT_EQ(error.cancellation_reasons.size(), 4U);
  EXPECT_EQ(error.cancellation_reasons[1].message, "The conditional request failed");
  EXPECT_EQ(error.cancellation_reasons[1].item, (Item{{"pk", "there"}}));
  EXPECT_EQ(error.cancellation_reasons[2].message,
            "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N");
  EXPECT_EQ(error.cancellation_reasons[3].message, "The provided key element does not match the schema");
  EXPECT_EQ(Call(GetItem, R"({"TableName":"hash","Key":{"pk":{"S":"new"}}})"), "{}");
}

TEST_F(TransactionTest, RepeatsNothingWithTheSameToken) {
  const std::string increment = R"({"Update":{"TableName":"hash","Key":{"pk":{"S":"a"}},"UpdateExpression":"ADD n :n",)"
                                R"("ExpressionAttributeValues":{":n":{"N":"1"}}}})";
  constexpr std::string_view kToken = R"(,"ClientRequestToken":"t1","ReturnConsumedCapacity":"TOTAL")";
  EXPECT_EQ(Write(increment, kToken),
            R"({"ConsumedCapacity":[{"TableName":"hash","WriteCapacityUnits":2.0,"CapacityUnits":2.0}]})");
  EXPECT_EQ(Write(increment, kToken),
            R"({"ConsumedCapacity":[{"TableName":"hash","ReadCapacityUnits":2.0,"CapacityUnits":2.0}]})");
  EXPECT_EQ(Call(GetItem, R"({"TableName":"hash","Key":{"pk":{"S":"a"}},"ProjectionExpression":"n"})"),
            R"({"Item":{"n":{"N":"1"}}})");
  EXPECT_THAT(Write(Put("b"), kToken), ::testing::StartsWith("IdempotentParameterMismatchException: "));
}

TEST_F(TransactionTest, RefusesWritesThatAmazonRefuses) {
  std::string many;
  for (int i = 0; i < 101; ++i) many += (i > 0 ? "," : "") + Put("k" + std::to_string(i));
  const std::pair<std::string, std::string> exchanges[] = {
      {R"({})",
       "1 validation error detected: Value null at 'transactItems' failed to satisfy constraint: Member must not be "
       "null"},
      {R"({"TransactItems":[]})",
       "1 validation error detected: Value at 'TransactItems' failed to satisfy constraint: Member must have length "
       "greater than or equal to 1"},
      {R"({"TransactItems":[)" + many + "]}",
       "1 validation error detected: Value at 'TransactItems' failed to satisfy constraint: Member must have length "
       "less than or equal to 100"},
      {R"({"TransactItems":[],"ClientRequestToken":"0123456789012345678901234567890123456"})",
       "1 validation error detected: Value at 'ClientRequestToken' failed to satisfy constraint: Member must have "
       "length less than or equal to 36"},
      {R"({"TransactItems":[{}]})",
       "1 validation error detected: Value '' at 'transactItems' failed to satisfy constraint: TransactWriteRequest "
       "should contain Delete or Put or Update or ConditionCheck"},
      {R"({"TransactItems":[)" + Put("a") + R"(,{"Delete":{"TableName":"bad!name","Key":{}}}]})",
       "1 validation error detected: Value 'bad!name' at 'transactItems.2.member.delete.tableName' failed to satisfy "
       "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
      {R"({"TransactItems":[{"Update":{"TableName":"hash","Key":{"pk":{"S":"a"}}}}]})",
       "1 validation error detected: Value null at 'transactItems.1.member.update.updateExpression' failed to satisfy "
       "constraint: Member must not be null"},
      {R"({"TransactItems":[)" + Put("a", R"(,"ConditionExpression":"")") + "]}",
       "Invalid ConditionExpression: The expression can not be empty;"},
      {R"({"TransactItems":[{"Put":{"TableName":"nosuch","Item":{"pk":{"SS":[]}},"ConditionExpression":"a ="}}]})",
       R"(Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "=")"},
      {R"({"TransactItems":[{"Put":{"TableName":"nosuch","Item":{"pk":{"SS":["a","a"]}}}}]})",
       R"(One or more parameter values were invalid: Input collection ["a", "a"] contains duplicates.)"},
      {R"({"TransactItems":[)" + Put("") + "]}",
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
       "string value. Key: pk"},
      {R"({"TransactItems":[)" + Put("a") + "," + Put("a") + "]}",
       "Transaction request cannot include multiple operations on one item"},
  };
  for (const auto& [request, answer] : exchanges) {
    EXPECT_EQ(Call(TransactWriteItems, request), std::string(kInvalid) + answer) << request;
  }
  EXPECT_EQ(Write(Put("a") + R"(,{"Delete":{"TableName":"nosuch","Key":{"pk":{"S":""}}}})"),
            "ResourceNotFoundException: Requested resource not found");
}

TEST_F(TransactionTest, RefusesReadsThatAmazonRefuses) {
  EXPECT_EQ(Read(""),
            "ValidationException: 1 validation error detected: Value at 'TransactItems' failed to satisfy constraint: "
            "Member must have length greater than or equal to 1");
  EXPECT_EQ(Read(R"({"Get":{"TableName":"bad!","Key":{}}})"),
            "ValidationException: 1 validation error detected: Value 'bad!' at 'transactItems.1.member.get.tableName' "
            "failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  EXPECT_EQ(Read(Get("a") + "," + Get("a")),
            "ValidationException: Transaction request cannot include multiple operations on one item");
  EXPECT_EQ(Read(Get("a", R"(,"ProjectionExpression":"")")),
            "ValidationException: Invalid ProjectionExpression: The expression can not be empty;");
  EXPECT_EQ(Read(R"({"Get":{"TableName":"nosuch","Key":{}}})"),
            "ResourceNotFoundException: Requested resource not found");
  const Result<std::string> cancelled = CallForResult(
      TransactGetItems, R"({"TransactItems":[)" + Get("a") + R"(,{"Get":{"TableName":"hash","Key":{}}}]})");
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().message,
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ValidationError]");
  ASSERT_EQ(cancelled.error().cancellation_reasons.size(), 2U);
  EXPECT_EQ(cancelled.error().cancellation_reasons[1].message, "The provided key element does not match the schema");
}

}  // namespace
}  // namespace taula::api
