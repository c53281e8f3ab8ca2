#include "codec/json_members.h"

#include <gtest/gtest.h>

#include <string>

namespace taula::codec {
namespace {

std::string Again(std::string_view text) {
  const auto members = SplitJsonObject(text);
  return members ? JoinJsonObject(*members) : "none";
}

TEST(JsonMembers, AreTheTextsBetweenTheCommas) {
  const auto members = SplitJsonObject(R"( { "a" : 1 , "b\"":"x,}\\" ,"c":[{"d":["]"]}, 2],"e":{},"f":null } )");
  ASSERT_TRUE(members);
  ASSERT_EQ(members->size(), 5U);
  EXPECT_EQ((*members)[0].name, "a");
  EXPECT_EQ((*members)[0].value, "1");
  EXPECT_EQ((*members)[1].name, "b\\\"");
  EXPECT_EQ((*members)[1].value, R"("x,}\\")");
  EXPECT_EQ((*members)[2].value, R"([{"d":["]"]}, 2])");
  EXPECT_EQ((*members)[3].value, "{}");
  EXPECT_EQ((*members)[4].value, "null");
}

TEST(JsonMembers, OfAnArrayAreItsElements) {
  EXPECT_EQ(SplitJsonArray(R"([ {"a":[1,2]} , "x,]",3])"),
            (std::vector<std::string_view>{R"({"a":[1,2]})", R"("x,]")", "3"}));
  EXPECT_TRUE(SplitJsonArray("[]").empty());
  EXPECT_TRUE(SplitJsonArray("{}").empty());
}

TEST(JsonMembers, ComeTogetherAgain) {
  EXPECT_EQ(Again("{}"), "{}");
  EXPECT_EQ(Again(R"({"a":1,"b":{"c":[1,2]}})"), R"({"a":1,"b":{"c":[1,2]}})");
  EXPECT_EQ(Again("{ \"a\" :\n1 }"), R"({"a":1})");
}

TEST(JsonMembers, OfSomethingElseAreNone) {
  for (const char* text : {"", "[]", "1", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"", "{\"\\", "{,}", "{\"a\":}"}) {
    EXPECT_EQ(Again(text), "none") << text;
  }
}

}  // namespace
}  // namespace taula::codec
