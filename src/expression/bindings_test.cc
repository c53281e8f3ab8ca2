#include "expression/bindings.h"

#include "expression/testing.h"

namespace taula::expression {
namespace {

TEST(Bindings, AnswerWhatAPlaceholderStandsFor) {
  const Value value("x");
  Bindings bindings;
  ASSERT_TRUE(bindings.AddName("#n", "name"));
  ASSERT_TRUE(bindings.AddValue(":v", value.view()));
  EXPECT_EQ(bindings.UseName("#n"), "name");
  EXPECT_EQ(bindings.UseValue(":v"), value.view());
  EXPECT_FALSE(bindings.UseName("#m"));
  EXPECT_FALSE(bindings.UseValue(":w"));
}

TEST(Bindings, RefusePlaceholdersThatAreNone) {
  const Value value("x");
  Bindings bindings;
  for (const std::string bad : {"", "#", "n", ":n", "#a-b", "#a b", "#ü"}) {
    EXPECT_EQ(MessageOf(bindings.AddName(bad, "name")),
              "ExpressionAttributeNames contains invalid key: Syntax error; key: \"" + bad + "\"");
  }
  for (const std::string bad : {"", ":", "v", "#v", ":a.b"}) {
    EXPECT_EQ(MessageOf(bindings.AddValue(bad, value.view())),
              "ExpressionAttributeValues contains invalid key: Syntax error; key: \"" + bad + "\"");
  }
}

TEST(Bindings, RefusePlaceholdersOver255Bytes) {
  const Value value("x");
  Bindings bindings;
  EXPECT_TRUE(bindings.AddName("#" + std::string(254, 'a'), "name"));
  EXPECT_EQ(MessageOf(bindings.AddName("#" + std::string(255, 'a'), "name")),
            "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too "
            "long; size of key: 256");
  EXPECT_EQ(MessageOf(bindings.AddName("#" + std::string(255, 'a') + "-x", "name")),
            "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too "
            "long; size of key: 258");
  EXPECT_TRUE(bindings.AddValue(":" + std::string(254, 'a'), value.view()));
  EXPECT_EQ(MessageOf(bindings.AddValue(":" + std::string(255, 'a'), value.view())),
            "ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too "
            "long;");
}

TEST(Bindings, RefuseEmptyNames) {
  Bindings bindings;
  EXPECT_EQ(MessageOf(bindings.AddName("#a", "")),
            "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a");
  EXPECT_EQ(MessageOf(bindings.AddName("#", "")),
            "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#\"");
}

TEST(Bindings, TellWhatIsUnusedNamesFirst) {
  const Value value("x");
  Bindings bindings;
  ASSERT_TRUE(bindings.AddName("#b", "b"));
  ASSERT_TRUE(bindings.AddName("#a", "a"));
  ASSERT_TRUE(bindings.AddName("#c", "c"));
  ASSERT_TRUE(bindings.AddValue(":v", value.view()));
  ASSERT_TRUE(bindings.UseName("#c"));
  EXPECT_EQ(MessageOf(bindings.CheckAllUsed()),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b, #a}");
  ASSERT_TRUE(bindings.UseName("#a"));
  ASSERT_TRUE(bindings.UseName("#b"));
  EXPECT_EQ(MessageOf(bindings.CheckAllUsed()),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}");
  ASSERT_TRUE(bindings.UseValue(":v"));
  EXPECT_TRUE(bindings.CheckAllUsed());
}

TEST(Bindings, FindEveryOneOfMany) {
  std::vector<std::string> placeholders;
  for (int i = 0; i < 1000; ++i) placeholders.push_back("#n" + std::to_string(i * 7919 % 1000));
  Bindings bindings;
  for (const std::string& placeholder : placeholders) {
    ASSERT_TRUE(bindings.AddName(placeholder, std::string_view(placeholder).substr(1)));
  }
  for (const std::string& placeholder : placeholders) EXPECT_EQ(bindings.UseName(placeholder), placeholder.substr(1));
  EXPECT_FALSE(bindings.UseName("#n1000"));
  EXPECT_TRUE(bindings.CheckAllUsed());
}

TEST(Bindings, RefuseMoreThanTwoMegabytes) {
  const Value value(std::string(1024 * 1024, 'x'));
  Bindings bindings;
  ASSERT_TRUE(bindings.AddValue(":a", value.view()));
  EXPECT_EQ(MessageOf(bindings.AddValue(":b", value.view())), "ExpressionAttributeValues exceeds max size");
}

}  // namespace
}  // namespace taula::expression
