// The values that an item has for itself alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "design/rules.h"
#include "design/rules_testing.h"

namespace taula::design {
namespace {

using namespace rules_testing;  // NOLINT(google-build-using-namespace): all of it is for these tests
using ::testing::ElementsAre;

std::vector<std::string> Meanings(const std::vector<catalog::Claim>& claims) {
  std::vector<std::string> meanings;
  for (const catalog::Claim& claim : claims) meanings.push_back(claim.meaning);
  return meanings;
}

TEST(Claims, AreMadeByRulesAllOfWhoseAttributesAreThere) {
  const Rules rules = Kefir();
  EXPECT_THAT(Meanings(rules->Claims(User().view())), testing::ElementsAre("email 'a@example.com' of entity User"));
  const Item full = With(With(User(), "country", "NZ"), "nick", "kiwi");
  EXPECT_THAT(
      Meanings(rules->Claims(full.view())),
      testing::ElementsAre("email 'a@example.com' of entity User", "country 'NZ' and nick 'kiwi' of entity User"));
  EXPECT_TRUE(rules->Claims(Batch().view()).empty());
  EXPECT_TRUE(rules->Claims(Item({{"PK", "x"}}).view()).empty());
}

TEST(Claims, HaveNamesThatCannotBeConfused) {
  const Rules rules = Kefir();
  const auto name = [&](std::string_view country, std::string_view nick) {
    const Item item{{"PK", "USER#1"}, {"SK", "METADATA"}, {"country", country}, {"nick", nick}};
    return rules->Claims(item.view()).at(0).name;
  };
  EXPECT_EQ(name("ab", "c"), name("ab", "c"));
  EXPECT_NE(name("ab", "c"), name("a", "bc"));
  EXPECT_NE(name("ab", "c"), name("AB", "c")) << "values count as they are stored";
}

TEST(Claims, AreTheSameForOtherKeysAndKeptByItemsThatAreDeletedSoftly) {
  const Rules rules = Kefir();
  const std::string name = rules->Claims(User().view()).at(0).name;
  EXPECT_EQ(rules->Claims(With(User(), "PK", "USER#2").view()).at(0).name, name);
  EXPECT_EQ(rules->Claims(With(User(), "deletedAt", kNowText).view()).at(0).name, name);
  EXPECT_NE(rules->Claims(With(User(), "email", "b@example.com").view()).at(0).name, name);
}

TEST(Claims, IgnoreCaseWhereAKeyDoes) {
  const Rules rules(DesignOfEntities(R"(
  User:
    key: { PK: "USER#{id}", SK: METADATA }
    indexes: { GSI1: { GSI1PK: "EMAIL#{mail:lower}", GSI1SK: "USER#{id}" } }
    attributes: { id: string, mail: email }
    unique: [mail]
)"));
  const auto name = [&](std::string_view mail) {
    return rules->Claims(Item({{"PK", "USER#1"}, {"SK", "METADATA"}, {"mail", mail}}).view()).at(0).name;
  };
  EXPECT_EQ(name("Ann@example.com"), name("ann@EXAMPLE.com"));
  EXPECT_NE(name("ann@example.com"), name("ann@example.org"));
}

TEST(Claims, CountValuesFromTheKey) {
  const Rules rules(DesignOfEntities(R"(
  User:
    key: { PK: "USER#{id}", SK: "N#{n}" }
    attributes: { id: { type: string, stored: false }, n: integer }
    unique: [n]
)"));
  const std::vector<catalog::Claim> from_key = rules->Claims(Item({{"PK", "USER#1"}, {"SK", "N#5"}}).view());
  const std::vector<catalog::Claim> stored = rules->Claims(Item({{"PK", "USER#2"}, {"SK", "N#5"}, {"n", 5}}).view());
  ASSERT_EQ(from_key.size(), 1U);
  ASSERT_EQ(stored.size(), 1U);
  EXPECT_EQ(from_key[0].name, stored[0].name);
}

TEST(Claims, AreNamedByAnIdThatChangesWithTheRules) {
  const auto id = [](std::string_view unique, std::string_view sort = "METADATA") {
    return std::string(
        Rules(DesignOfEntities(std::string("\n  User:\n    key: { PK: \"USER#{id}\", SK: ") + std::string(sort) +
                               " }\n    attributes: { id: string, mail: email, nick: string }\n" + std::string(unique)))
            ->claims_id());
  };
  EXPECT_EQ(id(""), "");
  EXPECT_NE(id("    unique: [mail]\n"), "");
  EXPECT_EQ(id("    unique: [mail]\n"), id("    unique: [mail]\n"));
  EXPECT_NE(id("    unique: [mail]\n"), id("    unique: [nick]\n"));
  EXPECT_NE(id("    unique: [mail, nick]\n"), id("    unique: [[mail, nick]]\n"));
  EXPECT_NE(id("    unique: [mail]\n"), id("    unique: [mail]\n", "PROFILE"));
}

}  // namespace
}  // namespace taula::design
