#include "transfer/table_shape.h"

#include <gtest/gtest.h>

namespace taula::transfer {
namespace {

TableShape Shape() {
  return {.name = "t",
          .key = {"pk", "sk"},
          .typed = {{"pk", Type::kString}, {"sk", Type::kNumber}, {"gsi", Type::kString}}};
}

std::string Why(const Item& item) { return WhyRefused(Shape(), item).value_or("taken"); }

TEST(TableShape, KnowsWhatTheTableTakes) {
  EXPECT_EQ(Why(Item({{"pk", "a"}, {"sk", 1}})), "taken");
  EXPECT_EQ(Why(Item({{"pk", "a"}})), "the key attribute sk is missing");
  EXPECT_EQ(Why(Item({{"pk", "a"}, {"sk", "1"}})), "the key attribute sk is of type S, and of type N in the table");
  EXPECT_EQ(Why(Item({{"pk", ""}, {"sk", 1}})), "the key attribute pk is empty");
  EXPECT_EQ(Why(Item({{"pk", "a"}, {"sk", 1}, {"gsi", 5}})),
            "the key attribute gsi is of type N, and of type S in the table");
  EXPECT_EQ(Why(Item({{"pk", std::string(2049, 'x')}, {"sk", 1}})), "the key attribute pk is longer than 2048 bytes");
  EXPECT_EQ(Why(Item({{"pk", "a"}, {"sk", 1}, {"x", std::string(409'600, 'x')}})),
            "the item has 409608 bytes, and 409600 at most are possible");
}

TEST(TableShape, IsWhatTheServerSays) {
  const client::CallFunction call = [](std::string_view, const std::string&) -> Result<std::string> {
    return R"({"Table":{"TableName":"t","TableId":"i","TableStatus":"ACTIVE","ItemCount":7,
      "KeySchema":[{"AttributeName":"s","KeyType":"RANGE"},{"AttributeName":"p","KeyType":"HASH"}],
      "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"B"},{"AttributeName":"s","AttributeType":"N"}],
      "GlobalSecondaryIndexes":[{"IndexName":"g"}],"LocalSecondaryIndexes":[{"IndexName":"l"}]}})";
  };
  const auto shape = DescribeTable(call, "t");
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->key, (KeyNames{"p", "s"}));
  EXPECT_EQ(shape->typed[0].type, Type::kBinary);
  EXPECT_EQ(shape->typed[1].type, Type::kNumber);
  EXPECT_EQ(shape->indexes, (std::vector<std::string>{"g", "l"}));
  EXPECT_EQ(shape->item_count, 7U);
  EXPECT_TRUE(shape->active);
}

}  // namespace
}  // namespace taula::transfer
