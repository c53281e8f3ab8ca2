#include <map>

#include "api/operations.h"
#include "api/wire_test.h"

namespace taula::api {
namespace {

using ::testing::HasSubstr;

class ScanTest : public WireTest {
 protected:
  void PutNumbered(int count) {
    for (int i = 0; i < count; ++i) {
      CallAll(PutItem, {R"({"TableName":"hash","Item":{"pk":{"S":"k)" + std::to_string(i) + R"("},"n":{"N":")" +
                        std::to_string(i) + R"("}}})"});
    }
  }
  std::string ScanHash(std::string_view rest) { return Call(Scan, R"({"TableName":"hash")" + std::string(rest) + "}"); }
};

TEST_F(ScanTest, AnswersAnEmptyTable) { EXPECT_EQ(ScanHash(""), R"({"Items":[],"Count":0,"ScannedCount":0})"); }

TEST_F(ScanTest, DividesIntoSegmentsThatTogetherAreTheTable) {
  PutNumbered(40);
  std::map<std::string, int> seen;
  for (int segment = 0; segment < 3; ++segment) {
    const std::string answer =
        ScanHash(R"(,"TotalSegments":3,"ProjectionExpression":"pk","Segment":)" + std::to_string(segment));
    simdjson::dom::parser parser;
    const simdjson::padded_string padded(answer);
    for (const simdjson::dom::element item : parser.parse(padded)["Items"].get_array()) {
      ++seen[std::string(std::string_view(item["pk"]["S"]))];
    }
  }
  EXPECT_EQ(seen.size(), 40U);
  for (const auto& [key, times] : seen) EXPECT_EQ(times, 1) << key;
}

TEST_F(ScanTest, FiltersAndCounts) {
  PutNumbered(10);
  EXPECT_EQ(ScanHash(R"(,"FilterExpression":"n < :n AND pk > :k","Select":"COUNT",)"
                     R"("ExpressionAttributeValues":{":n":{"N":"5"},":k":{"S":"k1"}})"),
            R"({"Count":3,"ScannedCount":10})");
  EXPECT_EQ(ScanHash(R"(,"Select":"COUNT","ConditionalOperator":"OR","ScanFilter":{"n":{"ComparisonOperator":"LT",)"
                     R"("AttributeValueList":[{"N":"2"}]},"pk":{"ComparisonOperator":"IN",)"
                     R"("AttributeValueList":[{"S":"k7"},{"S":"k8"}]}})"),
            R"({"Count":4,"ScannedCount":10})");
}

TEST_F(ScanTest, LeavesOutOfAnIndexWhatLacksItsKey) {
  CallAll(PutItem, {R"({"TableName":"comp","Item":{"pk":{"S":"a"},"sk":{"S":"1"},"gpk":{"S":"g"},"a":{"S":"x"},)"
                    R"("b":{"S":"y"}}})",
                    R"({"TableName":"comp","Item":{"pk":{"S":"a"},"sk":{"S":"2"}}})"});
  EXPECT_EQ(Call(Scan, R"({"TableName":"comp","IndexName":"inc"})"),
            R"({"Items":[{"a":{"S":"x"},"gpk":{"S":"g"},"pk":{"S":"a"},"sk":{"S":"1"}}],"Count":1,"ScannedCount":1})");
}

TEST_F(ScanTest, FindsNothingByWhatAnIndexDoesNotProject) {
  CallAll(PutItem, {R"({"TableName":"comp","Item":{"pk":{"S":"a"},"sk":{"S":"1"},"gpk":{"S":"g"},"b":{"S":"y"}}})"});
  EXPECT_EQ(Call(Scan, R"({"TableName":"comp","IndexName":"inc","FilterExpression":"b = :v",)"
                       R"("ExpressionAttributeValues":{":v":{"S":"y"}}})"),
            R"({"Items":[],"Count":0,"ScannedCount":1})");
}

TEST_F(ScanTest, RefusesWhatAmazonRefuses) {
  const Exchange exchanges[] = {
      {R"(,"Limit":0)",
       "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater "
       "than or equal to 1"},
      {R"(,"Segment":-1,"TotalSegments":1)",
       "1 validation error detected: Value at 'Segment' failed to satisfy constraint: Member must have value greater "
       "than or equal to 0"},
      {R"(,"Segment":0,"TotalSegments":1000001)",
       "1 validation error detected: Value at 'TotalSegments' failed to satisfy constraint: Member must have value "
       "less than or equal to 1000000"},
      {R"(,"Segment":0)",
       "The TotalSegments parameter is required but was not present in the request when Segment parameter is present"},
      {R"(,"TotalSegments":4)",
       "The Segment parameter is required but was not present in the request when parameter TotalSegments is present"},
      {R"(,"Segment":5,"TotalSegments":5)",
       "The Segment parameter is zero-based and must be less than parameter TotalSegments"},
      {R"(,"Select":"SPECIFIC_ATTRIBUTES")",
       "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when choosing to get "
       "SPECIFIC_ATTRIBUTES"},
      {R"(,"ExclusiveStartKey":{"x":{"S":"a"}})", "The provided starting key is invalid"},
      {R"(,"ScanFilter":{"n":{"ComparisonOperator":"NULL"}},"ConditionalOperator":"OR")",
       "ConditionalOperator can only be used when Filter or Expected has two or more elements"},
      {R"(,"FilterExpression":"n = :n","ExpressionAttributeValues":{":n":{"N":""}})",
       "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value for key "
       ":n"},
      {R"(,"ProjectionExpression":"#a","ExpressionAttributeNames":{"#a":""})",
       "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a"},
      {R"(,"ExpressionAttributeValues":{":n":{"N":"1"}},"ProjectionExpression":"a")",
       "ExpressionAttributeValues can only be specified when using expressions"},
  };
  for (const Exchange& exchange : exchanges) {
    EXPECT_EQ(ScanHash(exchange.request), std::string(kInvalid) + std::string(exchange.answer)) << exchange.request;
  }
}

TEST_F(ScanTest, RefusesAStartingKeyOfAnotherSegment) {
  PutNumbered(1);
  int refused = 0;
  for (int segment = 0; segment < 4; ++segment) {
    const std::string answer =
        ScanHash(R"(,"TotalSegments":4,"ExclusiveStartKey":{"pk":{"S":"k0"}},"Segment":)" + std::to_string(segment));
    if (answer.starts_with("{")) continue;
    ++refused;
    EXPECT_THAT(answer, HasSubstr("Please use ExclusiveStartKey with correct Segment. TotalSegments: 4 Segment: " +
                                  std::to_string(segment)));
  }
  EXPECT_EQ(refused, 3);
}

}  // namespace
}  // namespace taula::api
