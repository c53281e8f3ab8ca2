#include "value/key_value.h"

#include <gtest/gtest.h>

namespace taula::value {
namespace {

TEST(KeyValue, MayNotBeEmpty) {
  EXPECT_TRUE(CheckNotEmpty("pk", Value("a").view()));
  EXPECT_TRUE(CheckNotEmpty("pk", Value(0).view()));
  const Result<void> text = CheckNotEmpty("pk", Value("").view());
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message,
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
            "empty string value. Key: pk");
  EXPECT_TRUE(IsEmptyKeyError(text.error()));
  const Result<void> binary = CheckNotEmpty("sk", Value::Binary("").view());
  ASSERT_FALSE(binary);
  EXPECT_EQ(binary.error().message,
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
            "empty binary value. Key: sk");
}

TEST(KeyValue, TellsTheCircumstanceOfAnEmptyOne) {
  EXPECT_EQ(EmptyKeyMessage(Value("").view(), "It is so. "),
            "One or more parameter values are not valid. It is so. The AttributeValue for a key attribute cannot "
            "contain an empty string value.");
}

TEST(KeyValue, HasASizeLimit) {
  EXPECT_TRUE(CheckPartitionKeySize(2048));
  const Result<void> partition = CheckPartitionKeySize(2049);
  ASSERT_FALSE(partition);
  EXPECT_EQ(partition.error().message,
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 "
            "bytes");
  EXPECT_FALSE(IsEmptyKeyError(partition.error()));
  EXPECT_TRUE(CheckSortKeySize(1024));
  const Result<void> sort = CheckSortKeySize(1025);
  ASSERT_FALSE(sort);
  EXPECT_EQ(sort.error().message,
            "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit "
            "of 1024 bytes");
}

}  // namespace
}  // namespace taula::value
