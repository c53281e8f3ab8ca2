#include "api/operations.h"
#include "api/wire_test.h"

namespace taula::api {
namespace {

class GetItemTest : public WireTest {
 protected:
  void SetUp() override {
    CallAll(PutItem, {R"({"TableName":"hash","Item":{"pk":{"S":"a"},"m":{"M":{"x":{"S":"1"},"y":{"S":"2"}}},)"
                      R"("l":{"L":[{"S":"p"},{"S":"q"},{"S":"r"}]}}})"});
  }
  std::string Get(std::string_view rest) {
    return Call(GetItem, R"({"TableName":"hash","Key":{"pk":{"S":"a"}})" + std::string(rest) + "}");
  }
};

TEST_F(GetItemTest, AnswersNoItemWhenThereIsNone) {
  EXPECT_EQ(Call(GetItem, R"({"TableName":"hash","Key":{"pk":{"S":"nobody"}}})"), "{}");
}

TEST_F(GetItemTest, Projects) {
  EXPECT_EQ(Get(R"(,"ProjectionExpression":"m.y, l[2], l[0]")"),
            R"({"Item":{"l":{"L":[{"S":"p"},{"S":"r"}]},"m":{"M":{"y":{"S":"2"}}}}})");
  EXPECT_EQ(Get(R"(,"ProjectionExpression":"nothing")"), R"({"Item":{}})");
  EXPECT_EQ(Get(R"(,"ProjectionExpression":"#k","ExpressionAttributeNames":{"#k":"pk"})"),
            R"({"Item":{"pk":{"S":"a"}}})");
  EXPECT_EQ(Get(R"(,"AttributesToGet":["pk","nothing"])"), R"({"Item":{"pk":{"S":"a"}}})");
}

TEST_F(GetItemTest, ChargesHalfForEventuallyConsistentReads) {
  EXPECT_EQ(Get(R"(,"ProjectionExpression":"pk","ReturnConsumedCapacity":"TOTAL")"),
            R"({"Item":{"pk":{"S":"a"}},"ConsumedCapacity":{"TableName":"hash","CapacityUnits":0.5}})");
  EXPECT_EQ(Call(GetItem, R"({"TableName":"hash","Key":{"pk":{"S":"x"}},"ConsistentRead":true,)"
                          R"("ReturnConsumedCapacity":"INDEXES"})"),
            R"({"ConsumedCapacity":{"TableName":"hash","CapacityUnits":1.0,"Table":{"CapacityUnits":1.0}}})");
}

TEST_F(GetItemTest, ReportsErrorsBare) {
  const Exchange exchanges[] = {
      {R"({"TableName":"hash"})",
       "1 validation error detected: Value null at 'key' failed to satisfy constraint: Member must not be null"},
      {R"({"TableName":"hash","Key":{},"ReturnConsumedCapacity":"X"})",
       "1 validation error detected: Value 'X' at 'returnConsumedCapacity' failed to satisfy constraint: Member must "
       "satisfy enum value set: [INDEXES, TOTAL, NONE]"},
      {R"({"TableName":"nosuch","Key":{},"AttributesToGet":["a"],"ProjectionExpression":"a"})",
       "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: "
       "{AttributesToGet} Expression parameters: {ProjectionExpression}"},
      {R"({"TableName":"nosuch","Key":{},"ExpressionAttributeNames":{"#a":"a"}})",
       "ExpressionAttributeNames can only be specified when using expressions"},
      {R"({"TableName":"nosuch","Key":{"pk":{"N":"x"}}})", "The parameter cannot be converted to a numeric value: x"},
      {R"({"TableName":"nosuch","Key":{},"AttributesToGet":["a","a"]})",
       "One or more parameter values were invalid: Duplicate value in attribute name: a"},
      {R"({"TableName":"nosuch","Key":{},"ProjectionExpression":"a, a.b"})",
       "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these "
       "paths; path one: [a], path two: [a, b]"},
      {R"({"TableName":"hash","Key":{}})", "The provided key element does not match the schema"},
      {R"({"TableName":"hash","Key":{"pk":{"S":"a"},"x":{"S":"a"}}})",
       "The provided key element does not match the schema"},
      {R"({"TableName":"hash","Key":{"pk":{"SS":["a"]}}})", "The provided key element does not match the schema"},
      {R"({"TableName":"hash","Key":{"pk":{"S":""}}})",
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
       "string value. Key: pk"},
      {R"({"TableName":"hash","Key":{"pk":{"S":"a"}},"ProjectionExpression":"pk.x"})",
       "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk"},
  };
  for (const Exchange& exchange : exchanges) {
    EXPECT_EQ(Call(GetItem, exchange.request), std::string(kInvalid) + std::string(exchange.answer))
        << exchange.request;
  }
  EXPECT_EQ(Call(GetItem, R"({"TableName":"nosuch","Key":{}})"),
            "ResourceNotFoundException: Requested resource not found");
}

TEST_F(GetItemTest, NoLongerFindsWhatWasDeleted) {
  constexpr std::string_view kDelete = R"({"TableName":"hash","Key":{"pk":{"S":"a"}},"ReturnValues":"ALL_OLD",)"
                                       R"("ConditionExpression":"attribute_exists(m.x) "})";
  EXPECT_THAT(Call(DeleteItem, kDelete), ::testing::HasSubstr(R"("Attributes":{)"));
  EXPECT_EQ(Get(""), "{}");
  EXPECT_EQ(Call(DeleteItem, kDelete), "ConditionalCheckFailedException: The conditional request failed");
  EXPECT_EQ(Call(DeleteItem, R"({"TableName":"hash","Key":{"pk":{"S":"a"}},"ReturnValues":"ALL_OLD"})"), "{}");
  EXPECT_EQ(Call(DeleteItem, R"({"TableName":"hash","Key":{"pk":{"S":"a"}},"ReturnValues":"ALL_NEW"})"),
            std::string(kEnvelope) + "ReturnValues can only be ALL_OLD or NONE");
}

}  // namespace
}  // namespace taula::api
