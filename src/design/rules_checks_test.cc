// Which entity an item is, and what is asked of its attributes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "design/rules.h"
#include "design/rules_testing.h"

namespace taula::design {
namespace {

using namespace rules_testing;  // NOLINT(google-build-using-namespace): all of it is for these tests
using ::testing::HasSubstr;

constexpr std::string_view kBlog = R"(
  Post:
    type: { entityType: POST }
    map: data
    key: { PK: "POST#{postId}", SK: METADATA }
    indexes:
      GSI1: { GSI1PK: "POST#STATUS#{status}", GSI1SK: "{createdAt}" }
    attributes:
      postId:    { type: string, stored: false }
      title:     { type: string, required: true }
      status:    { type: enum, values: [draft, published], default: draft }
      words:     { type: integer, min: 1, max: 1000 }
      createdAt: { type: timestamp, set: on-create, top: true }
      editedAt:  { type: timestamp, set: on-write }
  Page:
    type: { entityType: PAGE }
    key: { PK: "POST#{pageId}", SK: METADATA }
    attributes: { pageId: string }
)";

Item Post(const Value& data) { return {{"PK", "POST#1"}, {"SK", "METADATA"}, {"data", data}}; }

TEST(Maps, HoldAttributesThatAreFilledAndDerivedFrom) {
  const Item item = Rules(DesignOfEntities(kBlog)).Put(Post(Value::Map({{"title", "Hi"}, {"zeal", 1}})));
  EXPECT_EQ(Text(item, "entityType"), "POST");
  EXPECT_EQ(Text(item, "createdAt"), kNowText);
  EXPECT_EQ(Text(item, "GSI1PK"), "POST#STATUS#draft");
  EXPECT_EQ(Text(item, "GSI1SK"), kNowText);
  EXPECT_EQ(*item.Find("data"),
            Value::Map({{"title", "Hi"}, {"zeal", 1}, {"status", "draft"}, {"editedAt", kNowText}}).view());
}

TEST(Maps, AreMadeWhenTheyAreAbsent) {
  const Rules rules(DesignOfEntities(kBlog, "checks: off\n"));
  const Item item = rules.Put({{"PK", "POST#1"}, {"SK", "METADATA"}});
  ASSERT_TRUE(item.Find("data"));
  EXPECT_EQ(*item.Find("data"), Value::Map({{"status", "draft"}, {"editedAt", kNowText}}).view());
}

TEST(Maps, MustBeMaps) {
  EXPECT_THAT(Rules(DesignOfEntities(kBlog)).RefusedPut(Post("x")),
              HasSubstr("data must be a map, not 'x'; data.title is required"));
  const Item item = Rules(DesignOfEntities(kBlog, "checks: off\n")).Put(Post("x"));
  EXPECT_EQ(Text(item, "data"), "x");
}

TEST(Maps, StandInPathsOfProblems) {
  EXPECT_THAT(Rules(DesignOfEntities(kBlog)).RefusedPut(Post(Value::Map({{"words", 0}}))),
              HasSubstr("data.title is required; data.words must be at least 1, not 0"));
}

TEST(Maps, MoveTheIndexKeyWhenAnAttributeInsideChanges) {
  const Rules rules(DesignOfEntities(kBlog));
  const Item before = rules.Put(Post(Value::Map({{"title", "Hi"}})));
  const Item after = With(before, "data", Value::Map({{"title", "Hi"}, {"status", "published"}}));
  EXPECT_EQ(Text(rules.Update(before, after), "GSI1PK"), "POST#STATUS#published");
}

TEST(TypeAttributes, TellEntitiesWithOneKeyApart) {
  const Rules rules(DesignOfEntities(kBlog));
  const Item page{{"PK", "POST#1"}, {"SK", "METADATA"}, {"entityType", "PAGE"}};
  EXPECT_EQ(rules.Put(page), page);
  EXPECT_EQ(rules->EntityOf(page.view())->name, "Page");
  EXPECT_EQ(rules->EntityOf(Post(Value::Map({})).view())->name, "Post");
}

TEST(TypeAttributes, ThatContradictTheKeyAreRefused) {
  const Item odd = With(Post(Value::Map({{"title", "Hi"}})), "entityType", "BIRD");
  EXPECT_EQ(Rules(DesignOfEntities(kBlog)).RefusedPut(odd),
            "Item does not fit entity Post of design test: entityType must be 'POST', not 'BIRD'");
  EXPECT_EQ(Rules(DesignOfEntities(kBlog, "checks: warn\n")).Put(odd), odd);
  EXPECT_EQ(Rules(DesignOfEntities(kBlog, "checks: off\n")).Put(odd), odd);
}

TEST(Entities, AreFoundByTheirKeys) {
  const Rules rules = Kefir();
  EXPECT_EQ(rules->EntityOf(Batch().view())->name, "Batch");
  EXPECT_EQ(rules->EntityOf(User().view())->name, "User");
  EXPECT_EQ(rules->EntityOf(Item({{"PK", "USER#"}, {"SK", "METADATA"}}).view()), nullptr);
  EXPECT_EQ(rules->EntityOf(Item({{"PK", "USER#1"}, {"SK", "METADATA2"}}).view()), nullptr);
  EXPECT_EQ(rules->EntityOf(Item({{"PK", "USER#1"}}).view()), nullptr);
}

TEST(Entities, WithMoreTextInTheirKeysComeFirst) {
  const Rules rules(DesignOfEntities(R"(
  Any:   { key: { PK: "{id}", SK: "{sub}" }, attributes: { id: string, sub: string } }
  Thing: { key: { PK: "T#{id}", SK: "{sub}" }, attributes: { id: string, sub: string } }
  Exact: { key: { PK: "T#{id}", SK: "S#{sub}" }, attributes: { id: string, sub: string } }
)"));
  EXPECT_EQ(rules->EntityOf(Item({{"PK", "T#1"}, {"SK", "S#1"}}).view())->name, "Exact");
  EXPECT_EQ(rules->EntityOf(Item({{"PK", "T#1"}, {"SK", "x"}}).view())->name, "Thing");
  EXPECT_EQ(rules->EntityOf(Item({{"PK", "x"}, {"SK", "x"}}).view())->name, "Any");
}

TEST(Entities, HaveOneValueForAnAttributeThatStandsTwiceInTheKey) {
  const Rules rules(DesignOfEntities(R"(
  Thing: { key: { PK: "T#{id}", SK: "T#{id}" }, attributes: { id: string } }
)"));
  EXPECT_NE(rules->EntityOf(Item({{"PK", "T#1"}, {"SK", "T#1"}}).view()), nullptr);
  EXPECT_EQ(rules->EntityOf(Item({{"PK", "T#1"}, {"SK", "T#2"}}).view()), nullptr);
}

TEST(Entities, ThatNoItemFitsAreRefusedUnlessTheDesignIsLenient) {
  const Item odd{{"PK", "SHIP#1"}, {"SK", "A"}};
  EXPECT_EQ(Kefir().RefusedPut(odd),
            "Item fits no entity of design test: no key template gives PK 'SHIP#1' and SK 'A'");
  EXPECT_EQ(Rules(DesignOfEntities(kKefir, "checks: warn\n")).Put(odd), odd);
  EXPECT_EQ(Rules(DesignOfEntities(kKefir, "checks: off\n")).Put(odd), odd);
}

TEST(Entities, WithNumbersInTheirKeysAreFound) {
  const Rules rules(DesignFrom(R"(
design: test
tables: { main: { name: t, key: { partition: { name: id, type: number } }, indexes: { X: { partition: XP } } } }
entities:
  Thing:
    key: { id: "{id}" }
    indexes: { X: { XP: "T#{id}" } }
    attributes: { id: integer }
)"));
  EXPECT_EQ(Text(rules.Put({{"id", 12}}), "XP"), "T#12");
}

TEST(Checks, TellAllProblemsInOneMessage) {
  Item item = With(With(Batch(), "status", "reday"), "stage", 3);
  EXPECT_EQ(Kefir().RefusedPut(With(Without(item, "name"), "expires", "soon")),
            "Item does not fit entity Batch of design test: name is required; status must be one of active, ready, "
            "archived, not 'reday'; stage must be one of 1, 2, not 3; expires must be a time as a whole number of "
            "seconds since 1970, not 'soon'");
}

TEST(Checks, NameFiveProblemsAndCountTheRest) {
  Item item = Batch();
  for (const std::string_view name : {"name", "status", "stage", "code", "createdAt", "updatedAt", "seenAt"}) {
    item = With(item, name, Value::Bool(true));
  }
  const std::string message = Kefir().RefusedPut(item);
  EXPECT_THAT(message, HasSubstr("name must be a string, not true; "));
  EXPECT_THAT(message, HasSubstr("; and "));
  EXPECT_THAT(message, testing::EndsWith(" more"));
}

TEST(Checks, CompareWhatIsStoredWithTheKey) {
  EXPECT_EQ(Kefir().RefusedPut(With(StoredBatch(), "userId", "2")),
            "Item does not fit entity Batch of design test: userId is '2', but PK says '1'");
  const Item same = With(With(StoredBatch(), "userId", "1"), "batchId", "7");
  EXPECT_EQ(Kefir().Put(same), same);
  EXPECT_THAT(Kefir().RefusedUpdate(same, With(same, "batchId", "8")), HasSubstr("batchId is '8', but SK says '7'"));
}

TEST(Checks, LookAtValuesThatStandOnlyInTheKey) {
  const Rules rules(DesignOfEntities(R"(
  Thing:
    key: { PK: "T#{id}", SK: "{kind}#{n}" }
    attributes: { id: { type: uuid, stored: false }, kind: { type: enum, values: [a, b] }, n: integer }
)"));
  EXPECT_THAT(rules.RefusedPut({{"PK", "T#1"}, {"SK", "c#x"}}),
              HasSubstr("id must be a UUID, not '1'; kind must be one of a, b, not 'c'; n must be a whole number, not "
                        "'x'"));
  const Item good{{"PK", "T#9c5b94b1-35ad-49bb-b118-8e8fc24abf80"}, {"SK", "a#12"}, {"n", 12}};
  EXPECT_EQ(rules.Put(good), good);
}

TEST(Checks, WarnWithoutRefusing) {
  const Rules rules(DesignOfEntities(kKefir, "checks: warn\n"));
  EXPECT_EQ(Text(rules.Put(With(StoredBatch(), "status", "reday")), "GSI1SK"), "STATUS#reday#2024-01-01T00:00:00.000Z");
}

TEST(Checks, AreTheEntitysOwnWhereItSays) {
  const Rules rules(DesignOfEntities(R"(
  Strict: { key: { PK: "S#{id}", SK: A }, attributes: { id: string, n: integer } }
  Loose:  { key: { PK: "L#{id}", SK: A }, attributes: { id: string, n: integer }, checks: off }
)"));
  const Item loose{{"PK", "L#1"}, {"SK", "A"}, {"n", "x"}};
  EXPECT_EQ(rules.Put(loose), loose);
  EXPECT_THAT(rules.RefusedPut({{"PK", "S#1"}, {"SK", "A"}, {"n", "x"}}), HasSubstr("n must be"));
}

TEST(Checks, AllowAttributesThatTheDesignDoesNotKnow) {
  const Item item = With(StoredBatch(), "extra", Value::Map({{"x", 1}}));
  EXPECT_EQ(Kefir().Put(item), item);
}

TEST(Checks, NeverTellASecret) {
  EXPECT_THAT(Kefir().RefusedPut(With(User(), "password", "hunter2")),
              testing::AllOf(HasSubstr("password must be a bcrypt hash"), testing::Not(HasSubstr("hunter2"))));
}

}  // namespace
}  // namespace taula::design
