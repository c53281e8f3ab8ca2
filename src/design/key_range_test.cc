#include "design/key_range.h"

#include <gtest/gtest.h>

namespace taula::design {
namespace {

TEST(AfterPrefix, IsTheNextTextThatDoesNotBeginSo) {
  EXPECT_EQ(AfterPrefix("EVENT#"), "EVENT$");
  EXPECT_EQ(AfterPrefix("a\x7f"), "a\xc2\x80");
  EXPECT_EQ(AfterPrefix("é"), "ê");
  EXPECT_EQ(AfterPrefix("\xed\x9f\xbf"), "\xee\x80\x80");  // U+D7FF: surrogates are no characters
  EXPECT_EQ(AfterPrefix("a\xf4\x8f\xbf\xbf"), "b");        // U+10FFFF: none comes behind it
  EXPECT_EQ(AfterPrefix("\xf4\x8f\xbf\xbf"), std::nullopt);
  EXPECT_EQ(AfterPrefix(""), std::nullopt);
}

TEST(KeyRange, SaysWhatAConditionCannot) {
  KeyRange range = KeyRange::OfPrefix("E#");
  range.Intersect({.low = KeyRange::End{Value("E#3"), true}, .high = std::nullopt, .prefix = std::nullopt});
  Placeholders placeholders;
  EXPECT_EQ(range.Condition("SK", placeholders), "#SK BETWEEN :v1 AND :v2");
  EXPECT_FALSE(range.Holds(Value("E#3").view()));
  EXPECT_TRUE(range.Holds(Value("E#31").view()));
  EXPECT_FALSE(range.Holds(Value("E$").view()));
}

TEST(KeyRange, IsWrittenAsSimplyAsItCanBe) {
  const auto text = [](const KeyRange& range) {
    Placeholders placeholders;
    return range.Condition("SK", placeholders);
  };
  EXPECT_EQ(text(KeyRange::All()), "");
  EXPECT_EQ(text(KeyRange::Of(Value("a"))), "#SK = :v1");
  EXPECT_EQ(text(KeyRange::OfPrefix("a")), "begins_with(#SK, :v1)");
  EXPECT_EQ(text({.low = KeyRange::End{Value(1), true}, .high = {}, .prefix = {}}), "#SK > :v1");
  EXPECT_EQ(text({.low = {}, .high = KeyRange::End{Value(1), false}, .prefix = {}}), "#SK <= :v1");
}

TEST(KeyRange, ExtendsOverBoth) {
  KeyRange range = KeyRange::OfPrefix("COMMENT#");
  range.Extend(KeyRange::Of(Value("METADATA")));
  EXPECT_TRUE(range.Holds(Value("LIKE#1").view()));
  EXPECT_TRUE(range.Holds(Value("METADATA").view()));
  EXPECT_FALSE(range.Holds(Value("METADATA#1").view()));
  EXPECT_FALSE(range.prefix);
  KeyRange same = KeyRange::OfPrefix("A");
  same.Extend(KeyRange::OfPrefix("A"));
  EXPECT_TRUE(same.prefix);
  same.Extend(KeyRange::All());
  EXPECT_TRUE(same.is_all());
}

TEST(KeyRange, NumbersAreComparedAsNumbers) {
  const KeyRange range{.low = KeyRange::End{Value(9), true}, .high = KeyRange::End{Value(11), false}, .prefix = {}};
  EXPECT_FALSE(range.Holds(Value(9).view()));
  EXPECT_TRUE(range.Holds(Value(10).view()));
  EXPECT_TRUE(range.Holds(Value(11).view()));
  EXPECT_FALSE(range.is_empty());
  EXPECT_TRUE((KeyRange{.low = KeyRange::End{Value(9), true}, .high = KeyRange::End{Value(9), false}, .prefix = {}})
                  .is_empty());
}

}  // namespace
}  // namespace taula::design
