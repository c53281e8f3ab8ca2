#include "codec/error_name.h"

#include <gtest/gtest.h>

namespace taula::codec {
namespace {

TEST(ErrorName, IsReadBackForEveryCode) {
  for (int i = 0; i <= static_cast<int>(ErrorCode::kServiceUnavailable); ++i) {
    const auto code = static_cast<ErrorCode>(i);
    EXPECT_EQ(ErrorCodeNamed(ErrorName(code)), code) << ErrorName(code);
  }
}

TEST(ErrorName, IsFoundBehindItsNamespace) {
  EXPECT_EQ(ErrorCodeNamed("com.amazonaws.dynamodb.v20120810#ResourceInUseException"),
            ErrorCode::kResourceInUseException);
  EXPECT_EQ(ErrorCodeNamed("com.amazon.coral.service#NoSuchThing"), std::nullopt);
  EXPECT_EQ(ErrorCodeNamed(""), std::nullopt);
}

}  // namespace
}  // namespace taula::codec
