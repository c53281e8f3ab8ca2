#include "client/error_reader.h"

#include <gtest/gtest.h>

namespace taula::client {
namespace {

TEST(ErrorReader, KnowsTheExceptionByItsName) {
  const auto error =
      ReadError(400, R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"gone"})");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kResourceNotFoundException);
  EXPECT_EQ(error->message, "gone");
}

TEST(ErrorReader, ReadsAMessageInEitherSpelling) {
  EXPECT_EQ(ReadError(400, R"({"__type":"x#AccessDeniedException","Message":"no"})")->message, "no");
}

TEST(ErrorReader, ReadsTheItemOfAFailedCondition) {
  const auto error = ReadError(
      400, R"({"__type":"x#ConditionalCheckFailedException","Item":{"pk":{"S":"a"},"n":{"N":"1"}},"message":"m"})");
  ASSERT_TRUE(error && error->item);
  EXPECT_EQ(*error->item, (Item{{"pk", "a"}, {"n", 1}}));
}

TEST(ErrorReader, ReadsTheReasonsOfACancellation) {
  const auto error = ReadError(400, R"({"__type":"x#TransactionCanceledException","Message":"m","CancellationReasons":[
    {"Code":"None"},
    {"Code":"ConditionalCheckFailed","Message":"c","Item":{"pk":{"S":"a"}}}]})");
  ASSERT_TRUE(error);
  ASSERT_EQ(error->cancellation_reasons.size(), 2U);
  EXPECT_EQ(error->cancellation_reasons[0].code, "None");
  EXPECT_EQ(error->cancellation_reasons[1].code, "ConditionalCheckFailed");
  EXPECT_EQ(error->cancellation_reasons[1].message, "c");
  EXPECT_EQ(*error->cancellation_reasons[1].item, (Item{{"pk", "a"}}));
}

TEST(ErrorReader, GivesExceptionsWithoutACodeTheNearest) {
  EXPECT_EQ(ReadError(400, R"({"__type":"x#ExpiredTokenException","message":"m"})")->code,
            ErrorCode::kAccessDeniedException);
  EXPECT_EQ(ReadError(400, R"({"__type":"x#ExpiredTokenException","message":"m"})")->message,
            "ExpiredTokenException: m");
  EXPECT_EQ(ReadError(400, R"({"__type":"NeverHeardOfException"})")->code, ErrorCode::kValidationException);
  EXPECT_EQ(ReadError(500, R"({"__type":"InternalFailure"})")->code, ErrorCode::kInternalServerError);
}

TEST(ErrorReader, KnowsWhatIsNoErrorOfDynamoDb) {
  for (const char* body : {"", "<html>", "[]", "{}", R"({"message":"x"})", R"({"__type":1})"}) {
    EXPECT_FALSE(ReadError(400, body)) << body;
  }
}

}  // namespace
}  // namespace taula::client
