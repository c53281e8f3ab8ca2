#include "api/put_item.h"

#include "api/get_item.h"
#include "api/operations.h"
#include "api/wire_test.h"

namespace taula::api {
namespace {

using ::testing::HasSubstr;

class PutItemTest : public WireTest {
 protected:
  std::string Put(std::string_view body) { return Call(PutItem, body); }
};

TEST_F(PutItemTest, StoresAnItemThatGetItemReturns) {
  EXPECT_EQ(Put(R"({"TableName":"hash","Item":{"pk":{"S":"a"},"n":{"N":"1.50"}}})"), "{}");
  EXPECT_EQ(Call(GetItem, R"({"TableName":"hash","Key":{"pk":{"S":"a"}}})"),
            R"({"Item":{"n":{"N":"1.5"},"pk":{"S":"a"}}})");
}

TEST_F(PutItemTest, ReturnsTheOldItemOnlyWhenThereIsOne) {
  constexpr std::string_view kPut =
      R"({"TableName":"hash","Item":{"pk":{"S":"a"},"v":{"S":"1"}},"ReturnValues":"ALL_OLD"})";
  EXPECT_EQ(Put(kPut), "{}");
  EXPECT_EQ(Put(kPut), R"({"Attributes":{"pk":{"S":"a"},"v":{"S":"1"}}})");
}

TEST_F(PutItemTest, TakesAnArnForATableName) {
  EXPECT_EQ(Put(R"({"TableName":"arn:aws:dynamodb:us-east-1:123456789012:table/hash","Item":{"pk":{"S":"a"}}})"), "{}");
}

TEST_F(PutItemTest, RefusesMembersThatViolateConstraints) {
  const std::string long_name(256, 'a');
  const Exchange exchanges[] = {
      {R"({"Item":{"pk":{"S":"a"}}})",
       "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null"},
      {R"({})",
       "2 validation errors detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null; "
       "Value null at 'item' failed to satisfy constraint: Member must not be null"},
      {R"({"TableName":"","Item":{},"ReturnValues":"X"})",
       "1 validation error detected: Value at 'TableName' failed to satisfy constraint: Member must have length "
       "greater than or equal to 1"},
      {R"({"TableName":"bad name!","Item":{"pk":{"S":"a"}}})",
       "1 validation error detected: Value 'bad name!' at 'tableName' failed to satisfy constraint: Member must "
       "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
      {R"({"TableName":"hash","Item":{"pk":{"S":"a"}},"ReturnConsumedCapacity":"INVALID","ReturnValues":"INVALID",)"
       R"("ReturnItemCollectionMetrics":"INVALID"})",
       "3 validation errors detected: Value 'INVALID' at 'returnConsumedCapacity' failed to satisfy constraint: Member "
       "must satisfy enum value set: [INDEXES, TOTAL, NONE]; Failed to satisfy constraint: Member must satisfy enum "
       "value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]; Value 'INVALID' at 'returnItemCollectionMetrics' "
       "failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]"},
      {R"({"TableName":"hash","Item":{"pk":{"S":"a"}},"ConditionalOperator":"XOR"})",
       "1 validation error detected: Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]"},
  };
  for (const Exchange& exchange : exchanges) {
    EXPECT_EQ(Put(exchange.request), std::string(kInvalid) + std::string(exchange.answer)) << exchange.request;
  }
  EXPECT_EQ(Put(R"({"TableName":")" + long_name + R"(","Item":{"pk":{"S":"a"}}})"),
            "ValidationException: 1 validation error detected: Value '" + long_name +
                "' at 'tableName' failed to satisfy constraint: Member must have length less than or equal to 255");
}

TEST_F(PutItemTest, WrapsWhatIsWrongWithTheRequestInAnEnvelope) {
  const Exchange exchanges[] = {
      {R"("Item":{"pk":{"S":"a"},"s":{"SS":[]}}})",
       "One or more parameter values were invalid: An string set  may not be empty"},
      {R"("Item":{"pk":{"S":"a"},"s":{"SS":["b","a","b"]}}})",
       R"(One or more parameter values were invalid: Input collection ["a", "b", "b"] contains duplicates.)"},
      {R"("Item":{"pk":{"S":"a"},"x":{"NULL":false}}})",
       "One or more parameter values were invalid: Null attribute value types must have the value of true"},
      {R"("Item":{"pk":{"S":"a"},"x":{"N":"one"}}})", "The parameter cannot be converted to a numeric value: one"},
      {R"("Item":{"pk":{"S":"a"}},"ReturnValues":"ALL_NEW"})", "ReturnValues can only be ALL_OLD or NONE"},
      {R"("Item":{"pk":{"S":"a"}},"Expected":{"pk":{"Exists":false}},"ConditionExpression":"attribute_exists(pk) "})",
       "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: "
       "{Expected} Expression parameters: {ConditionExpression}"},
      {R"("Item":{"pk":{"S":"a"}},"ExpressionAttributeValues":{":v":{"S":"x"}}})",
       "ExpressionAttributeValues can only be specified when using expressions"},
      {R"("Item":{"pk":{"S":"a"}},"ExpressionAttributeNames":{"#v":"x"},"Expected":{"pk":{"Exists":false}}})",
       "ExpressionAttributeNames can only be specified when using expressions"},
      {R"("Item":{"pk":{"S":"a"}},"ConditionExpression":"attribute_exists(pk) ","ExpressionAttributeValues":{}})",
       "ExpressionAttributeValues must not be empty"},
      {R"("Item":{"pk":{"S":"a"}},"ConditionExpression":""})",
       "Invalid ConditionExpression: The expression can not be empty;"},
      {R"("Item":{"pk":{"S":"a"}},"ConditionExpression":"pk = :v"})",
       "Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: "
       ":v"},
      {R"("Item":{"pk":{"S":"a"}},"ConditionExpression":"attribute_exists(pk) ","ExpressionAttributeNames":{"#u":"x"}})",
       "Value provided in ExpressionAttributeNames unused in expressions: keys: {#u}"},
      {R"("Item":{"pk":{"S":"a"}},"Expected":{"pk":{"Value":{"S":"a"},"AttributeValueList":[{"S":"a"}]}}})",
       "One or more parameter values were invalid: Value and AttributeValueList cannot be used together for Attribute: "
       "pk"},
  };
  // All of it comes before the table is looked up.
  for (const std::string_view table : {"hash", "nosuch"}) {
    for (const Exchange& exchange : exchanges) {
      const std::string request = R"({"TableName":")" + std::string(table) + R"(",)" + std::string(exchange.request);
      EXPECT_EQ(Put(request), std::string(kEnvelope) + std::string(exchange.answer)) << request;
    }
  }
}

TEST_F(PutItemTest, LeavesSomeErrorsBare) {
  EXPECT_EQ(Put(R"({"TableName":"hash","Item":{"pk":{}}})"),
            "ValidationException: Supplied AttributeValue is empty, must contain exactly one of the supported "
            "datatypes");
  EXPECT_EQ(Put(R"({"TableName":"hash","Item":{"pk":{"S":"a","N":"1"}}})"),
            "ValidationException: Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
            "the supported datatypes");
  const std::string large(409600, 'x');
  EXPECT_EQ(Put(R"({"TableName":"nosuch","Item":{"pk":{"S":")" + large + R"("}}})"),
            "ValidationException: Item size has exceeded the maximum allowed size");
}

TEST_F(PutItemTest, TakesItemsOfExactlyTheMaximumSize) {
  const std::string rest(409600 - 2 - 1 - 1, 'x');  // pk=a, d=rest
  EXPECT_EQ(Put(R"({"TableName":"hash","Item":{"pk":{"S":"a"},"d":{"S":")" + rest + R"("}}})"), "{}");
  EXPECT_EQ(Put(R"({"TableName":"hash","Item":{"pk":{"S":"a"},"d":{"S":")" + rest + R"(x"}}})"),
            "ValidationException: Item size has exceeded the maximum allowed size");
}

TEST_F(PutItemTest, ChecksKeysAgainstTheTable) {
  const Exchange exchanges[] = {
      {R"({"TableName":"nosuch","Item":{"pk":{"S":"a"}}})", "ResourceNotFoundException: Requested resource not found"},
      {R"({"TableName":"hash","Item":{"other":{"S":"a"}}})",
       "ValidationException: One or more parameter values were invalid: Missing the key pk in the item"},
      {R"({"TableName":"hash","Item":{"pk":{"N":"1"}}})",
       "ValidationException: One or more parameter values were invalid: Type mismatch for key pk expected: S actual: "
       "N"},
      {R"({"TableName":"hash","Item":{"pk":{"S":""}}})",
       "ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
       "contain an empty string value. Key: pk"},
      {R"({"TableName":"bin","Item":{"pk":{"B":""},"sk":{"B":"AA=="}}})",
       "ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
       "contain an empty binary value. Key: pk"},
      {R"({"TableName":"comp","Item":{"pk":{"S":"a"},"sk":{"S":"b"},"gsk":{"S":"x"}}})",
       "ValidationException: One or more parameter values were invalid: Type mismatch for Index Key gsk Expected: N "
       "Actual: S IndexName: gsi"},
      {R"({"TableName":"comp","Item":{"pk":{"S":"a"},"sk":{"S":"b"},"gpk":{"S":""}}})",
       "ValidationException: One or more parameter values are not valid. A value specified for a secondary index key "
       "is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: gsi, "
       "IndexKey: gpk"},
  };
  for (const Exchange& exchange : exchanges) EXPECT_EQ(Put(exchange.request), exchange.answer) << exchange.request;
}

TEST_F(PutItemTest, LimitsTheLengthOfKeys) {
  const std::string longest(2048, 'p');
  EXPECT_EQ(Put(R"({"TableName":"hash","Item":{"pk":{"S":")" + longest + R"("}}})"), "{}");
  EXPECT_EQ(Put(R"({"TableName":"hash","Item":{"pk":{"S":")" + longest + R"(p"}}})"),
            "ValidationException: One or more parameter values were invalid: Size of hashkey has exceeded the maximum "
            "size limit of2048 bytes");
  EXPECT_EQ(Put(R"({"TableName":"comp","Item":{"pk":{"S":"a"},"sk":{"S":")" + std::string(1025, 's') + R"("}}})"),
            "ValidationException: One or more parameter values were invalid: Aggregated size of all range keys has "
            "exceeded the size limit of 1024 bytes");
}

TEST_F(PutItemTest, FailsWhenTheConditionDoes) {
  constexpr std::string_view kPut = R"({"TableName":"hash","Item":{"pk":{"S":"a"}},)"
                                    R"("ConditionExpression":"attribute_not_exists(pk) ",)"
                                    R"("ReturnValuesOnConditionCheckFailure":"ALL_OLD"})";
  EXPECT_EQ(Put(kPut), "{}");
  const Result<std::string> again = CallForResult(PutItem, kPut);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kConditionalCheckFailedException);
  EXPECT_EQ(again.error().message, "The conditional request failed");
  EXPECT_EQ(again.error().item, (Item{{"pk", "a"}}));
}

TEST_F(PutItemTest, TakesLegacyConditions) {
  constexpr std::string_view kPut = R"({"TableName":"hash","Item":{"pk":{"S":"a"},"n":{"N":"1"}},)"
                                    R"("Expected":{"n":{"ComparisonOperator":"LT","AttributeValueList":[{"N":"1"}]},)"
                                    R"("pk":{"Exists":false}},"ConditionalOperator":"OR"})";
  EXPECT_EQ(Put(kPut), "{}");
  EXPECT_EQ(Put(kPut), "ConditionalCheckFailedException: The conditional request failed");
}

TEST_F(PutItemTest, ReportsCapacityAndCollections) {
  EXPECT_EQ(Put(R"({"TableName":"hash","Item":{"pk":{"S":"a"}},"ReturnConsumedCapacity":"TOTAL"})"),
            R"({"ConsumedCapacity":{"TableName":"hash","CapacityUnits":1.0}})");
  EXPECT_EQ(Put(R"({"TableName":"comp","Item":{"pk":{"S":"a"},"sk":{"S":"b"},"gpk":{"S":"g"},"lsk":{"N":"1"}},)"
                R"("ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE"})"),
            R"({"ConsumedCapacity":{"TableName":"comp","CapacityUnits":3.0,"Table":{"CapacityUnits":1.0},)"
            R"("LocalSecondaryIndexes":{"lsi":{"CapacityUnits":1.0}},)"
            R"("GlobalSecondaryIndexes":{"inc":{"CapacityUnits":1.0}}},)"
            R"("ItemCollectionMetrics":{"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}})");
}

TEST_F(PutItemTest, RefusesJsonOfTheWrongType) {
  EXPECT_EQ(Put(R"({"TableName":1,"Item":{}})"), "SerializationException: NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(Put(R"({"TableName":"hash","Item":[]})"),
            "SerializationException: Unrecognized collection type java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.AttributeValue>");
  EXPECT_EQ(Put("[]"), "SerializationException: ");
  EXPECT_EQ(Put("{"), "SerializationException: ");
}

TEST_F(PutItemTest, ChecksRequestsMadeInProcessAlike) {
  const auto put = [this](PutItemRequest request) {
    std::promise<Result<WriteItemResponse>> promise;
    PutItem(context(), std::move(request),
            [&promise](Result<WriteItemResponse> response) { promise.set_value(std::move(response)); });
    return promise.get_future().get();
  };
  EXPECT_TRUE(put({.table_name = "hash", .item = {{"pk", "a"}, {"n", 7}}}));
  const Result<GetItemResponse> got = GetItem(context(), {.table_name = "hash", .key = {{"pk", "a"}}});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->item, (Item{{"pk", "a"}, {"n", 7}}));

  const auto refused = put({.table_name = "hash", .item = {{"pk", "a"}, {"s", Value::StringSet({})}}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("An string set  may not be empty"));
}

}  // namespace
}  // namespace taula::api
