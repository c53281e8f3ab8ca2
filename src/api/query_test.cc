#include "api/operations.h"
#include "api/wire_test.h"

namespace taula::api {
namespace {

class QueryTest : public WireTest {
 protected:
  void SetUp() override {
    for (const std::string_view sk : {"a1", "a2", "b1", "b2", "c1"}) {
      CallAll(PutItem, {R"({"TableName":"comp","Item":{"pk":{"S":"p"},"sk":{"S":")" + std::string(sk) +
                        R"("},"v":{"S":")" + std::string(sk) + R"("}}})"});
    }
    CallAll(PutItem, {R"({"TableName":"comp","Item":{"pk":{"S":"other"},"sk":{"S":"a1"}}})"});
  }

  // The sort keys that a condition on them leads to.
  std::string SortKeys(std::string_view condition, std::string_view values, std::string_view rest = "") {
    return Call(Query, R"({"TableName":"comp","KeyConditionExpression":"pk = :p)" + std::string(condition) +
                           R"(","ExpressionAttributeValues":{":p":{"S":"p"})" + std::string(values) +
                           R"(},"ProjectionExpression":"sk")" + std::string(rest) + "}");
  }
  static std::string Page(std::initializer_list<std::string_view> sort_keys, std::string_view rest = "") {
    std::string items;
    for (const std::string_view sk : sort_keys) {
      if (!items.empty()) items += ",";
      items += R"({"sk":{"S":")" + std::string(sk) + R"("}})";
    }
    const std::string count = std::to_string(sort_keys.size());
    return R"({"Items":[)" + items + R"(],"Count":)" + count + R"(,"ScannedCount":)" + count + std::string(rest) + "}";
  }
  std::string QueryComp(std::string_view rest) {
    return Call(Query, R"({"TableName":"comp",)" + std::string(rest) + "}");
  }
};

TEST_F(QueryTest, FindsItemsBySortKey) {
  EXPECT_EQ(SortKeys("", ""), Page({"a1", "a2", "b1", "b2", "c1"}));
  EXPECT_EQ(SortKeys(" AND sk = :v", R"(,":v":{"S":"b1"})"), Page({"b1"}));
  EXPECT_EQ(SortKeys(" AND sk < :v", R"(,":v":{"S":"b1"})"), Page({"a1", "a2"}));
  EXPECT_EQ(SortKeys(" AND sk <= :v", R"(,":v":{"S":"b1"})"), Page({"a1", "a2", "b1"}));
  EXPECT_EQ(SortKeys(" AND sk > :v", R"(,":v":{"S":"b1"})"), Page({"b2", "c1"}));
  EXPECT_EQ(SortKeys(" AND sk >= :v", R"(,":v":{"S":"b1"})"), Page({"b1", "b2", "c1"}));
  EXPECT_EQ(SortKeys(" AND :v <= sk", R"(,":v":{"S":"b2"})"), Page({"b2", "c1"}));
  EXPECT_EQ(SortKeys(" AND sk BETWEEN :v AND :w", R"(,":v":{"S":"a2"},":w":{"S":"b1"})"), Page({"a2", "b1"}));
  EXPECT_EQ(SortKeys(" AND begins_with(sk, :v)", R"(,":v":{"S":"b"})"), Page({"b1", "b2"}));
  EXPECT_EQ(SortKeys(" AND sk > :v", R"(,":v":{"S":"z"})"), Page({}));
}

TEST_F(QueryTest, ReadsBackwards) {
  EXPECT_EQ(SortKeys(" AND sk < :v", R"(,":v":{"S":"b2"})", R"(,"ScanIndexForward":false)"), Page({"b1", "a2", "a1"}));
}

TEST_F(QueryTest, OrdersNumbersByValueAndBinariesByByte) {
  for (const std::string_view n : {"-10", "2", "10", "-1.5", "0"}) {
    CallAll(PutItem, {R"({"TableName":"num","Item":{"pk":{"N":"1"},"sk":{"N":")" + std::string(n) + R"("}}})"});
  }
  EXPECT_EQ(
      Call(Query, R"({"TableName":"num","KeyConditionExpression":"pk = :p AND sk > :v",)"
                  R"("ProjectionExpression":"sk","ExpressionAttributeValues":{":p":{"N":"1.0"},":v":{"N":"-2"}}})"),
      R"({"Items":[{"sk":{"N":"-1.5"}},{"sk":{"N":"0"}},{"sk":{"N":"2"}},{"sk":{"N":"10"}}],)"
      R"("Count":4,"ScannedCount":4})");
  for (const std::string_view b : {"AA==", "AAA=", "AAE=", "/w==", "//8="}) {
    CallAll(PutItem, {R"({"TableName":"bin","Item":{"pk":{"B":"AQ=="},"sk":{"B":")" + std::string(b) + R"("}}})"});
  }
  EXPECT_EQ(Call(Query, R"({"TableName":"bin","KeyConditionExpression":"pk = :p AND begins_with(sk, :v) ",)"
                        R"("ProjectionExpression":"sk","ExpressionAttributeValues":{":p":{"B":"AQ=="},)"
                        R"(":v":{"B":"AA=="}}})"),
            R"({"Items":[{"sk":{"B":"AA=="}},{"sk":{"B":"AAA="}},{"sk":{"B":"AAE="}}],"Count":3,"ScannedCount":3})");
  EXPECT_EQ(Call(Query, R"({"TableName":"bin","KeyConditionExpression":"pk = :p AND sk >= :v",)"
                        R"("ProjectionExpression":"sk","ExpressionAttributeValues":{":p":{"B":"AQ=="},)"
                        R"(":v":{"B":"/w=="}}})"),
            R"({"Items":[{"sk":{"B":"/w=="}},{"sk":{"B":"//8="}}],"Count":2,"ScannedCount":2})");
}

TEST_F(QueryTest, PagesByLimit) {
  const std::string last_of_first = R"(,"LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"S":"a2"}})";
  EXPECT_EQ(SortKeys("", "", R"(,"Limit":2)"), Page({"a1", "a2"}, last_of_first));
  EXPECT_EQ(SortKeys("", "", R"(,"Limit":9,"ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"S":"a2"}})"),
            Page({"b1", "b2", "c1"}));
  EXPECT_EQ(SortKeys("", "", R"(,"ScanIndexForward":false,"ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"S":"b1"}})"),
            Page({"a2", "a1"}));
}

TEST_F(QueryTest, CountsBeforeTheFilter) {
  EXPECT_EQ(QueryComp(R"("KeyConditionExpression":"pk = :p","FilterExpression":"v > :v","Select":"COUNT",)"
                      R"("ExpressionAttributeValues":{":p":{"S":"p"},":v":{"S":"b1"}})"),
            R"({"Count":2,"ScannedCount":5})");
}

TEST_F(QueryTest, TakesLegacyConditions) {
  EXPECT_EQ(QueryComp(R"("KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"p"}]},)"
                      R"("sk":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"S":"b"}]}},)"
                      R"("QueryFilter":{"v":{"ComparisonOperator":"NE","AttributeValueList":[{"S":"b1"}]}},)"
                      R"("AttributesToGet":["sk"])"),
            R"({"Items":[{"sk":{"S":"b2"}}],"Count":1,"ScannedCount":2})");
}

TEST_F(QueryTest, ReadsIndexesInTheirOwnOrder) {
  CallAll(PutItem, {R"({"TableName":"comp","Item":{"pk":{"S":"x"},"sk":{"S":"1"},"gpk":{"S":"g"},"gsk":{"N":"10"}}})",
                    R"({"TableName":"comp","Item":{"pk":{"S":"y"},"sk":{"S":"2"},"gpk":{"S":"g"},"gsk":{"N":"9"}}})",
                    R"({"TableName":"comp","Item":{"pk":{"S":"z"},"sk":{"S":"3"},"gpk":{"S":"g"}}})"});
  EXPECT_EQ(QueryComp(R"("IndexName":"gsi","KeyConditionExpression":"gpk = :g","Limit":1,)"
                      R"("ExpressionAttributeValues":{":g":{"S":"g"}},"ReturnConsumedCapacity":"INDEXES")"),
            R"({"Items":[{"gpk":{"S":"g"},"gsk":{"N":"9"},"pk":{"S":"y"},"sk":{"S":"2"}}],"Count":1,"ScannedCount":1,)"
            R"("LastEvaluatedKey":{"gpk":{"S":"g"},"gsk":{"N":"9"},"pk":{"S":"y"},"sk":{"S":"2"}},)"
            R"("ConsumedCapacity":{"TableName":"comp","CapacityUnits":0.5,"Table":{"CapacityUnits":0.0},)"
            R"("GlobalSecondaryIndexes":{"gsi":{"CapacityUnits":0.5}}}})");
  EXPECT_EQ(QueryComp(R"("IndexName":"gsi","KeyConditionExpression":"gpk = :g","ProjectionExpression":"pk",)"
                      R"("ExpressionAttributeValues":{":g":{"S":"g"}},)"
                      R"("ExclusiveStartKey":{"gpk":{"S":"g"},"gsk":{"N":"9"},"pk":{"S":"y"},"sk":{"S":"2"}})"),
            R"({"Items":[{"pk":{"S":"x"}}],"Count":1,"ScannedCount":1})");
}

TEST_F(QueryTest, ReadsKeysOfSeveralAttributes) {
  for (const auto& [r1, r2] : {std::pair("a", "1"), {"a", "2"}, {"a", "10"}, {"b", "1"}}) {
    CallAll(PutItem, {std::string(R"({"TableName":"comp","Item":{"pk":{"S":"m"},"sk":{"S":")") + r1 + r2 +
                      R"("},"h1":{"S":"h"},"h2":{"N":"1"},"r1":{"S":")" + r1 + R"("},"r2":{"N":")" + r2 + R"("}}})"});
  }
  const auto query = [this](std::string_view condition, std::string_view values) {
    return QueryComp(
        R"("IndexName":"multi","ProjectionExpression":"sk","KeyConditionExpression":"h1 = :h AND h2 = :i)" +
        std::string(condition) + R"(","ExpressionAttributeValues":{":h":{"S":"h"},":i":{"N":"1"})" +
        std::string(values) + "}");
  };
  EXPECT_EQ(query("", ""), Page({"a1", "a2", "a10", "b1"}));
  EXPECT_EQ(query(" AND r1 = :r", R"(,":r":{"S":"a"})"), Page({"a1", "a2", "a10"}));
  EXPECT_EQ(query(" AND r2 > :s AND r1 = :r", R"(,":r":{"S":"a"},":s":{"N":"1"})"), Page({"a2", "a10"}));
  EXPECT_EQ(query(" AND r1 > :r", R"(,":r":{"S":"a"})"), Page({"b1"}));
  EXPECT_EQ(query(" AND r2 = :s", R"(,":s":{"N":"1"})"),
            "ValidationException: RANGE key attributes r1 must have equality conditions specified in the query because "
            "a condition is present on key attribute r2");
}

TEST_F(QueryTest, FetchesFromTheTableForLocalIndexesOnly) {
  CallAll(PutItem, {R"({"TableName":"comp","Item":{"pk":{"S":"q"},"sk":{"S":"1"},"lsk":{"N":"1"},"v":{"S":"w"},)"
                    R"("gpk":{"S":"q"}}})"});
  constexpr std::string_view kLocal =
      R"("IndexName":"lsi","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"q"}})";
  EXPECT_EQ(QueryComp(kLocal),
            R"({"Items":[{"lsk":{"N":"1"},"pk":{"S":"q"},"sk":{"S":"1"}}],"Count":1,"ScannedCount":1})");
  EXPECT_EQ(QueryComp(std::string(kLocal) + R"(,"ProjectionExpression":"v")"),
            R"({"Items":[{"v":{"S":"w"}}],"Count":1,"ScannedCount":1})");
  constexpr std::string_view kGlobal =
      R"("IndexName":"inc","KeyConditionExpression":"gpk = :p","ExpressionAttributeValues":{":p":{"S":"q"}})";
  EXPECT_EQ(QueryComp(std::string(kGlobal) + R"(,"ProjectionExpression":"v, a")"),
            "ValidationException: One or more parameter values were invalid: Global secondary index inc does not "
            "project [v]");
  EXPECT_EQ(QueryComp(std::string(kGlobal) + R"(,"Select":"ALL_ATTRIBUTES")"),
            "ValidationException: One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not "
            "supported for global secondary index inc because its projection type is not ALL");
}

TEST_F(QueryTest, RefusesAFilterOnWhatTheIndexDoesNotProject) {
  const auto query = [this](std::string_view index, std::string_view key, std::string_view filter,
                            std::string_view rest = "") {
    return QueryComp(R"("IndexName":")" + std::string(index) + R"(","KeyConditionExpression":")" + std::string(key) +
                     R"( = :v","FilterExpression":")" + std::string(filter) +
                     R"(","ExpressionAttributeValues":{":v":{"S":"p"}})" + std::string(rest));
  };
  constexpr std::string_view kNone = R"({"Items":[],"Count":0,"ScannedCount":0})";
  EXPECT_EQ(query("inc", "gpk", "a = :v AND sk = :v AND pk = :v"), kNone);
  EXPECT_EQ(query("gsi", "gpk", "v = :v"), kNone);
  EXPECT_EQ(query("inc", "gpk", "v.x = :v OR a = :v OR NOT size(b) = :v OR v = :v"),
            "ValidationException: One or more parameter values were invalid: Secondary index inc does not project one "
            "or more filter attributes: [b, v]");
  for (const std::string_view rest : {"", R"(,"Select":"ALL_ATTRIBUTES")", R"(,"ProjectionExpression":"v")"}) {
    EXPECT_EQ(query("lsi", "pk", "v = :v", rest),
              "ValidationException: One or more parameter values were invalid: Secondary index lsi does not project "
              "one or more filter attributes: [v]");
  }
  EXPECT_EQ(query("inc", "gpk", "gpk = :v AND v = :v"),
            "ValidationException: Filter Expression can only contain non-primary key attributes: Primary key "
            "attribute: gpk");
  EXPECT_EQ(QueryComp(R"("IndexName":"inc","KeyConditions":{"gpk":{"ComparisonOperator":"EQ",)"
                      R"("AttributeValueList":[{"S":"p"}]}},"QueryFilter":{"v":{"ComparisonOperator":"NULL"}})"),
            "ValidationException: One or more parameter values were invalid: Secondary index inc does not project one "
            "or more filter attributes: [v]");
}

TEST_F(QueryTest, RefusesWhatAmazonRefuses) {
  constexpr std::string_view kByKey =
      R"("KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"p"}})";
  const Exchange after_a_good_key[] = {
      {R"("Limit":0)",
       "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater "
       "than or equal to 1"},
      {R"("Select":"X")",
       "1 validation error detected: Value 'X' at 'select' failed to satisfy constraint: Member must satisfy enum "
       "value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"},
      {R"("Select":"SPECIFIC_ATTRIBUTES")",
       "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when choosing to get "
       "SPECIFIC_ATTRIBUTES"},
      {R"("Select":"COUNT","ProjectionExpression":"a")",
       "1 validation error detected: Cannot specify the ProjectionExpression when choosing to get only the Count"},
      {R"("Select":"ALL_PROJECTED_ATTRIBUTES")",
       "1 validation error detected: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
      {R"("QueryFilter":{"v":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}})",
       "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: "
       "{QueryFilter} Expression parameters: {KeyConditionExpression}"},
      {R"("QueryFilter":{"v":{"ComparisonOperator":"NULL"},"w":{"ComparisonOperator":"NULL"}},)"
       R"("ConditionalOperator":"XOR","Limit":0)",
       "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]"},
      {R"("QueryFilter":{"v":{}})",
       "1 validation error detected: Value null at 'queryFilter.v.member.comparisonOperator' failed to satisfy "
       "constraint: Member must not be null"},
      {R"("IndexName":"nosuch")", "The table does not have the specified index: nosuch"},
      {R"("IndexName":"gsi","ConsistentRead":true)", "Consistent reads are not supported on global secondary indexes"},
      {R"("ExclusiveStartKey":{"pk":{"S":"p"}})", "The provided starting key is invalid"},
      {R"("ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"N":"1"}})", "The provided starting key is invalid"},
      {R"("ExclusiveStartKey":{"pk":{"S":"q"},"sk":{"S":"1"}})",
       "The provided starting key is outside query boundaries based on provided conditions"},
      {R"("ExclusiveStartKey":{"pk":{"S":"p"},"sk":{}})",
       "The provided starting key is invalid: Supplied AttributeValue is empty, must contain exactly one of the "
       "supported datatypes"},
      {R"("FilterExpression":"sk = :p")",
       "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk"},
      {R"("ProjectionExpression":"pk[0]")",
       "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk"},
  };
  for (const Exchange& exchange : after_a_good_key) {
    EXPECT_EQ(QueryComp(std::string(kByKey) + "," + std::string(exchange.request)),
              std::string(kInvalid) + std::string(exchange.answer))
        << exchange.request;
  }
  const Exchange alone[] = {
      {R"("Limit":1)",
       "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."},
      {R"("KeyConditionExpression":"sk = :p","ExpressionAttributeValues":{":p":{"S":"p"}})",
       "Query condition missed key schema element: pk"},
      {R"("KeyConditionExpression":"pk > :p","ExpressionAttributeValues":{":p":{"S":"p"}})",
       "Query key condition not supported"},
      {R"("KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"N":"1"}})",
       "One or more parameter values were invalid: Condition parameter type does not match schema type"},
      {R"("KeyConditionExpression":"pk = :p AND sk = :p AND v = :p","ExpressionAttributeValues":{":p":{"S":"p"}})",
       "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)"},
      {R"("KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"SS":["a","a"]}})",
       R"(One or more parameter values were invalid: Input collection ["a", "a"] contains duplicates.)"},
      {R"("KeyConditions":{"pk":{"ComparisonOperator":"NE","AttributeValueList":[{"S":"p"}]}})",
       "Attempted conditional constraint is not an indexable operation"},
  };
  for (const Exchange& exchange : alone) {
    EXPECT_EQ(QueryComp(exchange.request), std::string(kInvalid) + std::string(exchange.answer)) << exchange.request;
  }
}

TEST_F(QueryTest, RefusesAStartingKeyThatTheSortConditionExcludes) {
  EXPECT_EQ(SortKeys(" AND sk > :v", R"(,":v":{"S":"b1"})", R"(,"ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"S":"a1"}})"),
            "ValidationException: The provided starting key does not match the range key predicate");
}

}  // namespace
}  // namespace taula::api
