#include "api/constraints.h"

#include <gtest/gtest.h>

namespace taula::api {
namespace {

TEST(Constraints, AreFulfilledWhenNoneIsViolated) { EXPECT_TRUE(Constraints().Check()); }

TEST(Constraints, ReportOneViolationInTheSingular) {
  Constraints constraints;
  constraints.Missing("tableName");
  EXPECT_EQ(constraints.Check().error().message,
            "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be "
            "null");
}

TEST(Constraints, ReportSeveralTogetherInTheirOrder) {
  Constraints constraints;
  constraints.Violated("limit", "0", ValueAtLeast(1));
  constraints.ViolatedUnechoed("Segment", ValueAtMost(9));
  constraints.Add("Failed to satisfy constraint: of its own");
  EXPECT_EQ(constraints.Check().error().message,
            "3 validation errors detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value "
            "greater than or equal to 1; Value at 'Segment' failed to satisfy constraint: Member must have value less "
            "than or equal to 9; Failed to satisfy constraint: of its own");
}

TEST(Constraints, ReportNoMoreThanTen) {
  Constraints constraints;
  for (int i = 0; i < 12; ++i) constraints.Add("v" + std::to_string(i));
  EXPECT_EQ(constraints.Check().error().message,
            "10 validation errors detected: v0; v1; v2; v3; v4; v5; v6; v7; v8; v9");
}

TEST(Envelope, IsNotPutAroundWrongDatatypesNorOtherExceptions) {
  constexpr auto kInvalid = ErrorCode::kValidationException;
  EXPECT_EQ(InEnvelope(Error{.code = kInvalid, .message = "m"}).message, "1 validation error detected: m");
  EXPECT_EQ(InEnvelope(Error{.code = kInvalid, .message = "Supplied AttributeValue is empty"}).message,
            "Supplied AttributeValue is empty");
  EXPECT_EQ(InEnvelope(Error{.code = ErrorCode::kResourceNotFoundException, .message = "m"}).message, "m");
}

}  // namespace
}  // namespace taula::api
