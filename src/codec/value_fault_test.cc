#include "codec/value_fault.h"

#include <gtest/gtest.h>

namespace taula::codec {
namespace {

using value::NumberError;

std::string Words(NumberError error, std::string_view text, ValueWording wording) {
  return NumberFault(error, text, wording).message;
}

TEST(ValueFault, ParametersOfStatementsAreNumbersWhereJavaSeesOne) {
  constexpr auto kStatement = ValueWording::kStatement;
  const std::string none = "The parameter cannot be converted to a numeric value";
  EXPECT_EQ(Words(NumberError::kOverflow, "1e99999999999", kStatement), none + ": 1e99999999999");
  EXPECT_EQ(Words(NumberError::kUnderflow, "1e-2147483648", kStatement), none + ": 1e-2147483648");
  EXPECT_EQ(Words(NumberError::kNotANumber, "", kStatement), none);
  EXPECT_TRUE(Words(NumberError::kOverflow, "1e126", kStatement).starts_with("Number overflow."));
  EXPECT_TRUE(Words(NumberError::kOverflow, "1e2147483647", kStatement).starts_with("Number underflow."));
}

TEST(ValueFault, ElsewhereANumberOutOfRangeIsOutOfRange) {
  for (const ValueWording wording : {ValueWording::kCurrent, ValueWording::kOlder}) {
    EXPECT_TRUE(Words(NumberError::kOverflow, "1e99999999999", wording).starts_with("Number overflow."));
  }
}

}  // namespace
}  // namespace taula::codec
