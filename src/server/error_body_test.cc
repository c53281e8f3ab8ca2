#include "server/error_body.h"

#include <gtest/gtest.h>

namespace taula::server {
namespace {

std::string Body(const Error& error) {
  std::string out;
  AppendErrorBody(error, out);
  return out;
}

TEST(ErrorBody, NamesTheExceptionAsAmazonDoes) {
  EXPECT_EQ(Body({ErrorCode::kValidationException, "Bad \"thing\"", {}, {}}),
            R"({"__type":"com.amazon.coral.validate#ValidationException","message":"Bad \"thing\""})");
  EXPECT_EQ(Body({ErrorCode::kSerializationException, "Unexpected field type", {}, {}}),
            R"({"__type":"com.amazon.coral.service#SerializationException","Message":"Unexpected field type"})");
  EXPECT_EQ(Body({ErrorCode::kThrottlingException, "x", {}, {}}),
            R"({"__type":"com.amazon.coral.availability#ThrottlingException","message":"x"})");
}

TEST(ErrorBody, LeavesOutAnEmptyMessage) {
  EXPECT_EQ(Body({ErrorCode::kSerializationException, "", {}, {}}),
            R"({"__type":"com.amazon.coral.service#SerializationException"})");
}

TEST(ErrorBody, CarriesTheItemOfAFailedCondition) {
  EXPECT_EQ(
      Body({ErrorCode::kConditionalCheckFailedException, "The conditional request failed", Item{{"pk", "a"}}, {}}),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
      R"("Item":{"pk":{"S":"a"}},"message":"The conditional request failed"})");
}

TEST(ErrorBody, CarriesTheReasonsOfACancellation) {
  Error error{ErrorCode::kTransactionCanceledException, "Transaction cancelled", {}, {}};
  error.cancellation_reasons = {{}, {"ConditionalCheckFailed", "The conditional request failed", Item{{"n", 1}}}};
  EXPECT_EQ(Body(error),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[)"
            R"({"Code":"None"},{"Code":"ConditionalCheckFailed","Item":{"n":{"N":"1"}},)"
            R"("Message":"The conditional request failed"}],"Message":"Transaction cancelled"})");
}

TEST(ErrorBody, BlamesTheServerOnlyForItsOwnFaults) {
  EXPECT_EQ(HttpStatus(ErrorCode::kInternalServerError), 500);
  EXPECT_EQ(HttpStatus(ErrorCode::kServiceUnavailable), 503);
  EXPECT_EQ(HttpStatus(ErrorCode::kConditionalCheckFailedException), 400);
  EXPECT_EQ(HttpStatus(ErrorCode::kProvisionedThroughputExceededException), 400);
  EXPECT_EQ(HttpStatus(ErrorCode::kAccessDeniedException), 400);
}

}  // namespace
}  // namespace taula::server
