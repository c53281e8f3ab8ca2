#include "api/operations.h"
#include "api/wire_test.h"

namespace taula::api {
namespace {

class UpdateItemTest : public WireTest {
 protected:
  std::string Update(std::string_view body) { return Call(UpdateItem, body); }
};

TEST_F(UpdateItemTest, CreatesAndChangesItems) {
  EXPECT_EQ(Update(R"({"TableName":"hash","Key":{"pk":{"S":"a"}},"UpdateExpression":"SET #n = :one",)"
                   R"("ExpressionAttributeNames":{"#n":"n"},"ExpressionAttributeValues":{":one":{"N":"1"}},)"
                   R"("ReturnValues":"ALL_NEW"})"),
            R"({"Attributes":{"n":{"N":"1"},"pk":{"S":"a"}}})");
  EXPECT_EQ(Update(R"({"TableName":"hash","Key":{"pk":{"S":"a"}},"UpdateExpression":"SET n = n + :one",)"
                   R"("ExpressionAttributeValues":{":one":{"N":"1"}},"ReturnValues":"UPDATED_OLD"})"),
            R"({"Attributes":{"n":{"N":"1"}}})");
  EXPECT_EQ(Update(R"({"TableName":"hash","Key":{"pk":{"S":"b"}},"ReturnValues":"ALL_NEW"})"),
            R"({"Attributes":{"pk":{"S":"b"}}})");
}

TEST_F(UpdateItemTest, TakesLegacyUpdates) {
  EXPECT_EQ(Update(R"({"TableName":"hash","Key":{"pk":{"S":"a"}},"AttributeUpdates":{"n":{"Action":"ADD",)"
                   R"("Value":{"N":"2"}},"s":{"Value":{"S":"x"}}},"ReturnValues":"ALL_NEW"})"),
            R"({"Attributes":{"n":{"N":"2"},"pk":{"S":"a"},"s":{"S":"x"}}})");
  EXPECT_EQ(Update(R"({"TableName":"hash","Key":{"pk":{"S":"a"}},"AttributeUpdates":{"s":{"Action":"DELETE"}},)"
                   R"("ReturnValues":"ALL_NEW"})"),
            R"({"Attributes":{"n":{"N":"2"},"pk":{"S":"a"}}})");
}

TEST_F(UpdateItemTest, RefusesMembersThatViolateConstraints) {
  const Exchange exchanges[] = {
      {R"({"TableName":"hash","Key":{"pk":{"S":"a"}},"ReturnValues":"INVALID","ReturnConsumedCapacity":"INVALID"})",
       "1 validation error detected: Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, "
       "UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"},
      {R"({"TableName":""})",
       "2 validation errors detected: Value '' at 'tableName' failed to satisfy constraint: Member must have length "
       "greater than or equal to 1; Value null at 'key' failed to satisfy constraint: Member must not be null"},
      {R"({"TableName":"","ReturnValues":"INVALID","ReturnConsumedCapacity":"INVALID"})",
       "4 validation errors detected: Value 'INVALID' at 'returnConsumedCapacity' failed to satisfy constraint: Member "
       "must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value '' at 'tableName' failed to satisfy constraint: "
       "Member must have length greater than or equal to 1; Value 'INVALID' at 'returnValues' failed to satisfy "
       "constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; Value null "
       "at 'key' failed to satisfy constraint: Member must not be null"},
      {R"({"TableName":"hash","ConditionalOperator":"XOR"})",
       "2 validation errors detected: Value 'XOR' at 'conditionalOperator' failed to satisfy constraint: Member must "
       "satisfy enum value set: [OR, AND]; Value null at 'key' failed to satisfy constraint: Member must not be null"},
      {R"({"TableName":"","Key":{},"ReturnValues":"INVALID"})",
       "1 validation error detected: Value at 'TableName' failed to satisfy constraint: Member must have length "
       "greater than or equal to 1"},
  };
  for (const Exchange& exchange : exchanges) {
    EXPECT_EQ(Update(exchange.request), std::string(kInvalid) + std::string(exchange.answer)) << exchange.request;
  }
}

TEST_F(UpdateItemTest, WrapsWhatIsWrongWithTheRequestInAnEnvelope) {
  const Exchange exchanges[] = {
      {R"("UpdateExpression":"SET a = :v","AttributeUpdates":{"a":{"Action":"DELETE"}}})",
       "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: "
       "{AttributeUpdates} Expression parameters: {UpdateExpression}"},
      {R"("UpdateExpression":""})", "Invalid UpdateExpression: The expression can not be empty;"},
      {R"("UpdateExpression":"SET a = :v"})",
       "Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: "
       ":v"},
      {R"("UpdateExpression":"SET a = :v","ExpressionAttributeValues":{":v":{"S":"x"},":u":{"S":"x"}}})",
       "Value provided in ExpressionAttributeValues unused in expressions: keys: {:u}"},
      {R"("AttributeUpdates":{"a":{"Action":"PUT"}}})",
       "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified"},
      {R"("AttributeUpdates":{"a":{"Action":"ADD","Value":{"S":"x"}}}})",
       "One or more parameter values were invalid: ADD action is not supported for the type S"},
  };
  for (const Exchange& exchange : exchanges) {
    const std::string request = R"({"TableName":"nosuch","Key":{"pk":{"S":"a"}},)" + std::string(exchange.request);
    EXPECT_EQ(Update(request), std::string(kEnvelope) + std::string(exchange.answer)) << request;
  }
}

TEST_F(UpdateItemTest, ChecksTheUpdateAgainstTheTable) {
  const auto update = [this](std::string_view expression, std::string_view value) {
    return Update(R"({"TableName":"comp","Key":{"pk":{"S":"a"},"sk":{"S":"b"}},"UpdateExpression":")" +
                  std::string(expression) + R"(","ExpressionAttributeValues":{":v":)" + std::string(value) + "}}");
  };
  EXPECT_EQ(
      update("SET sk = :v", R"({"S":"x"})"),
      "ValidationException: One or more parameter values were invalid: Cannot update attribute sk. This attribute "
      "is part of the key");
  EXPECT_EQ(update("SET gpk = :v", R"({"N":"1"})"),
            "ValidationException: One or more parameter values were invalid: Type mismatch for Index Key gpk Expected: "
            "S Actual: N IndexName: gsi");
  EXPECT_EQ(update("SET gpk = :v", R"({"S":""})"),
            "ValidationException: One or more parameter values are not valid. The update expression attempted to "
            "update a secondary index key to a value that is not supported. The AttributeValue for a key attribute "
            "cannot contain an empty string value.");
  EXPECT_EQ(update("SET a.b = :v", R"({"S":"x"})"),
            "ValidationException: The document path provided in the update expression is invalid for update");
  EXPECT_EQ(Update(R"({"TableName":"comp","Key":{"pk":{"S":"a"}}})"),
            "ValidationException: The provided key element does not match the schema");
}

TEST_F(UpdateItemTest, LimitsTheSizeOfTheUpdatedItem) {
  const auto update = [this](std::size_t bytes) {
    return Update(R"({"TableName":"hash","Key":{"pk":{"S":"a"}},"UpdateExpression":"SET d = :v",)"
                  R"("ExpressionAttributeValues":{":v":{"S":")" +
                  std::string(bytes, 'x') + R"("}}})");
  };
  EXPECT_EQ(update(409600 - 23), "{}");
  EXPECT_EQ(update(409600), "ValidationException: Item size to update has exceeded the maximum allowed size");
}

}  // namespace
}  // namespace taula::api
