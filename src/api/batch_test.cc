#include "api/batch_get_item.h"
#include "api/operations.h"
#include "api/wire_test.h"

namespace taula::api {
namespace {

using ::testing::HasSubstr;

class BatchTest : public WireTest {
 protected:
  // `count` keys, or writes that put them.
  static std::string Keys(int count) {
    std::string keys;
    for (int i = 0; i < count; ++i) {
      keys += (i > 0 ? "," : "") + std::string(R"({"pk":{"S":"k)") + std::to_string(i) + R"("}})";
    }
    return keys;
  }
  static std::string Puts(int count) {
    std::string puts;
    for (int i = 0; i < count; ++i) {
      puts +=
          (i > 0 ? "," : "") + std::string(R"({"PutRequest":{"Item":{"pk":{"S":"k)") + std::to_string(i) + R"("}}}})";
    }
    return puts;
  }
};

TEST_F(BatchTest, WritesAndReadsSeveralTables) {
  EXPECT_EQ(Call(BatchWriteItem, R"({"RequestItems":{"hash":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},)"
                                 R"({"DeleteRequest":{"Key":{"pk":{"S":"b"}}}}],)"
                                 R"("comp":[{"PutRequest":{"Item":{"pk":{"S":"p"},"sk":{"S":"s"},"lsk":{"N":"1"}}}}]},)"
                                 R"("ReturnConsumedCapacity":"TOTAL","ReturnItemCollectionMetrics":"SIZE"})"),
            R"({"UnprocessedItems":{},"ItemCollectionMetrics":{"comp":[{"ItemCollectionKey":{"pk":{"S":"p"}},)"
            R"("SizeEstimateRangeGB":[0.0,1.0]}]},"ConsumedCapacity":[{"TableName":"hash","CapacityUnits":2.0},)"
            R"({"TableName":"comp","CapacityUnits":2.0}]})");
  EXPECT_EQ(Call(BatchGetItem,
                 R"({"RequestItems":{"hash":{"Keys":[{"pk":{"S":"a"}},{"pk":{"S":"b"}}],"ConsistentRead":true},)"
                 R"("comp":{"Keys":[{"pk":{"S":"p"},"sk":{"S":"s"}}],"ProjectionExpression":"lsk"}},)"
                 R"("ReturnConsumedCapacity":"TOTAL"})"),
            R"({"Responses":{"hash":[{"pk":{"S":"a"}}],"comp":[{"lsk":{"N":"1"}}]},"UnprocessedKeys":{},)"
            R"("ConsumedCapacity":[{"TableName":"hash","CapacityUnits":2.0},)"
            R"({"TableName":"comp","CapacityUnits":0.5}]})");
}

TEST_F(BatchTest, LeavesKeysUnprocessedBeyondSixteenMegabytes) {
  const std::string large(390000, 'x');
  for (int i = 0; i < 45; ++i) {
    CallAll(PutItem, {R"({"TableName":"hash","Item":{"pk":{"S":"k)" + std::to_string(i) + R"("},"d":{"S":")" + large +
                      R"("}}})"});
  }
  BatchGetItemRequest request;
  auto& wanted = request.request_items.emplace_back("hash", KeysAndAttributes()).second;
  wanted.projection_expression = "pk";
  for (int i = 0; i < 45; ++i) wanted.keys.push_back({{"pk", "k" + std::to_string(i)}});
  const Result<BatchGetItemResponse> response = BatchGetItem(context(), request);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->responses[0].second.size(), 43U);
  ASSERT_EQ(response->unprocessed_keys.size(), 1U);
  EXPECT_EQ(response->unprocessed_keys[0].second.keys, (std::vector<Item>{{{"pk", "k43"}}, {{"pk", "k44"}}}));
  EXPECT_EQ(response->unprocessed_keys[0].second.projection_expression, "pk");

  const std::string json = Call(BatchGetItem, R"({"RequestItems":{"hash":{"Keys":[)" + Keys(45) +
                                                  R"(],"ProjectionExpression":"#p",)"
                                                  R"("ExpressionAttributeNames":{"#p":"pk"}}}})");
  EXPECT_THAT(json, HasSubstr(R"("UnprocessedKeys":{"hash":{"Keys":[{"pk":{"S":"k43"}},{"pk":{"S":"k44"}}],)"
                              R"("ProjectionExpression":"#p","ExpressionAttributeNames":{"#p":"pk"}}})"));
}

TEST_F(BatchTest, RefusesReadsThatAmazonRefuses) {
  const std::pair<std::string, std::string> exchanges[] = {
      {R"({})",
       "1 validation error detected: Value null at 'requestItems' failed to satisfy constraint: Member must not be "
       "null"},
      {R"({"RequestItems":{}})",
       "1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member must have length "
       "greater than or equal to 1"},
      {R"({"RequestItems":{"bad!name":{"Keys":[{"pk":{"S":"a"}}]}},"ReturnConsumedCapacity":"X"})",
       R"(2 validation errors detected: Value '{"bad!name":{"Keys":[{"pk":{"S":"a"}}]}}' at 'requestItems' failed to )"
       "satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, "
       "Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: "
       "[a-zA-Z0-9_.-]+]; Value 'X' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum "
       "value set: [INDEXES, TOTAL, NONE]"},
      {R"({"RequestItems":{"hash":{"Keys":[]}}})",
       "1 validation error detected: Value at 'RequestItems.hash.member.Keys' failed to satisfy constraint: Member "
       "must have length greater than or equal to 1"},
      {R"({"RequestItems":{"hash":{"Keys":[)" + Keys(101) + "]}}}",
       "1 validation error detected: Value at 'RequestItems.hash.member.Keys' failed to satisfy constraint: Member "
       "must have length less than or equal to 100"},
      {R"({"RequestItems":{"hash":{"Keys":[)" + Keys(60) + R"(]},"comp":{"Keys":[)" + Keys(41) + "]}}}",
       "Too many items requested for the BatchGetItem call"},
      {R"({"RequestItems":{"hash":{"Keys":[{"pk":{"S":"a"}}],"AttributesToGet":["a"]},)"
       R"("comp":{"Keys":[{}],"ProjectionExpression":"a"}}})",
       "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: "
       "{AttributesToGet} Expression parameters: {ProjectionExpression}"},
      {R"({"RequestItems":{"nosuch":{"Keys":[{"pk":{"S":"a"}},{"pk":{"S":"a"}}]}}})",
       "Provided list of item keys contains duplicates"},
      {R"({"RequestItems":{"nosuch":{"Keys":[{"pk":{"NS":[]}}]}}})",
       "One or more parameter values were invalid: An number set  may not be empty"},
      {R"({"RequestItems":{"hash":{"Keys":[{"pk":{"N":"1"}}]}}})",
       "The provided key element does not match the schema"},
  };
  for (const auto& [request, answer] : exchanges) {
    EXPECT_EQ(Call(BatchGetItem, request), std::string(kInvalid) + answer) << request;
  }
  EXPECT_EQ(Call(BatchGetItem, R"({"RequestItems":{"hash":{"Keys":[{"pk":{"S":"a"}}]},)"
                               R"("nosuch":{"Keys":[{"pk":{"S":"a"}}]}}})"),
            "ResourceNotFoundException: Requested resource not found");
}

TEST_F(BatchTest, RefusesWritesThatAmazonRefuses) {
  const std::pair<std::string, std::string> exchanges[] = {
      {R"({"RequestItems":{}})",
       "1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member must have length "
       "greater than or equal to 1"},
      {R"({"RequestItems":{"hash":[)" + Puts(26) + "]}}",
       "1 validation error detected: Value at 'RequestItems.hash.member' failed to satisfy constraint: Member must "
       "have length less than or equal to 25"},
      {R"({"RequestItems":{"hash":[)" + Puts(20) + R"(],"comp":[)" + Puts(6) + "]}}",
       "Too many items requested for the BatchWriteItem call"},
      {R"({"RequestItems":{"bad!":[{"DeleteRequest":{"Key":{}}}]},"ReturnConsumedCapacity":"BOGUS",)"
       R"("ReturnItemCollectionMetrics":"BOGUS2"})",
       "2 validation errors detected: Value 'BOGUS' at 'returnConsumedCapacity' failed to satisfy constraint: Member "
       "must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value 'BOGUS2' at 'returnItemCollectionMetrics' failed to "
       "satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]"},
      {R"({"RequestItems":{"hash":[{"PutRequest":{"Item":{"pk":{"S":"a"}}},"DeleteRequest":{"Key":{}}}]}})",
       "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
      {R"({"RequestItems":{"nosuch":[{"PutRequest":{"Item":{"pk":{"S":"a"},"s":{"SS":["b","a","b"]}}}}]}})",
       "One or more parameter values were invalid: Input collection [b, a, b] contains duplicates."},
      {R"({"RequestItems":{"hash":[{"PutRequest":{"Item":{"pk":{"N":"1"}}}}]}})",
       "The provided key element does not match the schema"},
      {R"({"RequestItems":{"hash":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"a"}}}}]}})",
       "Provided list of item keys contains duplicates"},
      {R"({"RequestItems":{"comp":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"S":"a"},"gpk":{"N":"1"}}}}]}})",
       "One or more parameter values were invalid: Type mismatch for Index Key gpk Expected: S Actual: N IndexName: "
       "gsi"},
  };
  for (const auto& [request, answer] : exchanges) {
    EXPECT_EQ(Call(BatchWriteItem, request), std::string(kInvalid) + answer) << request;
  }
}

TEST_F(BatchTest, WritesNothingWhenOneWriteIsInvalid) {
  EXPECT_THAT(Call(BatchWriteItem, R"({"RequestItems":{"hash":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},)"
                                   R"({"PutRequest":{"Item":{"pk":{"S":""}}}}]}})"),
              HasSubstr("cannot contain an empty string value. Key: pk"));
  EXPECT_EQ(Call(GetItem, R"({"TableName":"hash","Key":{"pk":{"S":"a"}}})"), "{}");
}

}  // namespace
}  // namespace taula::api
