#include "transfer/item_key.h"

#include <gtest/gtest.h>

namespace taula::transfer {
namespace {

TEST(ItemKey, IsTheNamedAttributesInTheirOrder) {
  EXPECT_EQ(KeyOf(R"({"x":{"BOOL":true},"sk":{"B":"AQI="},"pk":{"S":"a\"b"}})", {"pk", "sk"}),
            R"({"pk":{"S":"a\"b"},"sk":{"B":"AQI="}})");
}

TEST(ItemKey, HasOneFormForANumber) {
  EXPECT_EQ(KeyOf(R"({"n":{"N":"1.50"}})", {"n"}), R"({"n":{"N":"1.5"}})");
  EXPECT_EQ(KeyOf(R"({"n":{"N":"15e-1"}})", {"n"}), R"({"n":{"N":"1.5"}})");
}

TEST(ItemKey, IsNothingWhereThereIsNone) {
  EXPECT_EQ(KeyOf(R"({"pk":{"S":"a"}})", {"pk", "sk"}), std::nullopt);
  EXPECT_EQ(KeyOf(R"({"pk":{"BOOL":true}})", {"pk"}), std::nullopt);
  EXPECT_EQ(KeyOf(R"({"pk":{"N":"one"}})", {"pk"}), std::nullopt);
  EXPECT_EQ(KeyOf(R"({"pk":)", {"pk"}), std::nullopt);
}

}  // namespace
}  // namespace taula::transfer
