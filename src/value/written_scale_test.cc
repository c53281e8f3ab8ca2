#include "value/written_scale.h"

#include <gtest/gtest.h>

namespace taula::value {
namespace {

TEST(WrittenScale, CountsDecimalsLessTheExponent) {
  EXPECT_EQ(WrittenScale("12"), 0);
  EXPECT_EQ(WrittenScale("1.25"), 2);
  EXPECT_EQ(WrittenScale("-.5e3"), -2);
  EXPECT_EQ(WrittenScale("1E+5"), -5);
  EXPECT_EQ(WrittenScale("1e2147483647"), -2147483647);
}

TEST(WrittenScale, IsNothingBeyondThirtyTwoBits) {
  for (const char* text :
       {"1e2147483648", "1e-2147483648", "1.5e-2147483647", "1e99999999999999999999", "1e", "1e+-1"}) {
    EXPECT_FALSE(WrittenScale(text)) << text;
  }
}

}  // namespace
}  // namespace taula::value
