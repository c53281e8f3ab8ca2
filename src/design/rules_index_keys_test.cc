// The keys of indexes that a design derives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "design/rules.h"
#include "design/rules_testing.h"

namespace taula::design {
namespace {

using namespace rules_testing;  // NOLINT(google-build-using-namespace): all of it is for these tests
using ::testing::HasSubstr;

TEST(IndexKeys, ThatContradictTheDesignAreRefusedWithBothValues) {
  EXPECT_EQ(Kefir().RefusedPut(With(StoredBatch(), "GSI1PK", "BATCH#8")),
            "Item does not fit entity Batch of design test: GSI1PK must be 'BATCH#7', which the design derives, not "
            "'BATCH#8'");
  EXPECT_THAT(Kefir().RefusedUpdate(StoredBatch(), With(StoredBatch(), "GSI1SK", "x")),
              HasSubstr("GSI1SK must be 'STATUS#active#2024-01-01T00:00:00.000Z', which the design derives, not 'x'"));
  EXPECT_THAT(Kefir().RefusedPut(With(StoredBatch(), "GSI1PK", 5)), HasSubstr("not 5"));
}

TEST(IndexKeys, OfIndexesThatTheEntityIsNotInAreRefused) {
  EXPECT_THAT(Kefir().RefusedPut(With(StoredBatch(), "GSI2PK", "x")),
              HasSubstr("GSI2PK must not be given, but is 'x': the item is not in index GSI2"));
}

TEST(IndexKeys, ThatAreTheEntitysOwnAttributesAreNotDerived) {
  EXPECT_EQ(Kefir().Put(User()), User());
  EXPECT_THAT(Kefir().RefusedPut(With(StoredBatch(), "email", "a@example.com")), HasSubstr("email must not be given"));
}

TEST(IndexKeys, AreOverwrittenWhereNothingIsChecked) {
  for (const std::string_view checks : {"checks: off\n", "checks: warn\n"}) {
    const Rules rules(DesignOfEntities(kKefir, checks));
    EXPECT_EQ(Text(rules.Put(With(StoredBatch(), "GSI1PK", "BATCH#8")), "GSI1PK"), "BATCH#7");
    EXPECT_EQ(rules.Put(With(StoredBatch(), "GSI2PK", "x")).Find("GSI2PK"), std::nullopt);
  }
}

TEST(IndexKeys, HaveTheTypeOfTheIndexAndComeFromTheKeyWhereNothingIsStored) {
  const Rules rules(DesignOfEntities(R"(
  Score:
    key: { PK: "GAME#{game}", SK: "P#{rank:04}#{player}" }
    indexes:
      GSI1: { GSI1PK: "PLAYER#{player:lower}", GSI1SK: "{on:date}" }
      GSI2: { GSI2PK: "RANKS", GSI2SK: "{rank}" }
    attributes:
      game:   { type: string, stored: false }
      player: { type: string, stored: false }
      rank:   { type: integer, stored: false }
      on:     timestamp
)"));
  const Item item = rules.Put({{"PK", "GAME#g"}, {"SK", "P#0012#Ann"}, {"on", kNowText}});
  EXPECT_EQ(Text(item, "GSI1PK"), "PLAYER#ann");
  EXPECT_EQ(Text(item, "GSI1SK"), "2024-11-02");
  ASSERT_TRUE(item.Find("GSI2SK"));
  EXPECT_EQ(*item.Find("GSI2SK"), Value(12).view());
  EXPECT_THAT(rules.RefusedPut({{"PK", "GAME#g"}, {"SK", "P#00x2#Ann"}}),
              HasSubstr("rank must be a whole number, not '00x2'"));
}

TEST(IndexKeys, AreLeftOutForAttributesThatAreNullOrAbsent) {
  const Rules rules(DesignOfEntities(R"(
  Thing:
    key: { PK: "T#{id}", SK: A }
    indexes: { GSI1: { GSI1PK: "C#{colour}", GSI1SK: "T#{id}" } }
    attributes: { id: string, colour: any }
)"));
  const Item plain{{"PK", "T#1"}, {"SK", "A"}};
  EXPECT_EQ(rules.Put(plain), plain);
  const Item with_null = With(plain, "colour", Value::Null());
  EXPECT_EQ(rules.Put(with_null), with_null);
  EXPECT_THAT(rules.RefusedPut(With(plain, "colour", "")),
              HasSubstr("colour must not be '': GSI1PK is made of it, as C#{colour}"));
  EXPECT_THAT(rules.RefusedPut(With(plain, "colour", Value::List({"red"}))), HasSubstr("colour must not be a list"));
  EXPECT_EQ(Text(rules.Put(With(plain, "colour", 7)), "GSI1PK"), "C#7");
  EXPECT_EQ(Text(rules.Put(With(plain, "colour", Value::Bool(true))), "GSI1PK"), "C#true");
}

TEST(IndexKeys, HoldNoValueThatCannotBeReadBack) {
  const Rules rules(DesignOfEntities(R"(
  Thing:
    key: { PK: "T#{id}", SK: A }
    indexes: { GSI1: { GSI1PK: "C#{colour}#{shade}", GSI1SK: "T#{id}" } }
    attributes: { id: string, colour: string, shade: string }
)"));
  const Item plain{{"PK", "T#1"}, {"SK", "A"}, {"shade", "a#b"}};
  EXPECT_THAT(rules.RefusedPut(With(plain, "colour", "re#d")),
              HasSubstr("colour must not contain '#', which follows it in GSI1PK"));
  EXPECT_EQ(Text(rules.Put(With(plain, "colour", "red")), "GSI1PK"), "C#red#a#b") << "nothing follows the last one";
}

TEST(IndexKeys, MayHoldFieldsOfMaps) {
  const Rules rules(DesignOfEntities(R"(
  Thing:
    key: { PK: "T#{id}", SK: A }
    indexes: { GSI1: { GSI1PK: "CITY#{address.city}", GSI1SK: "T#{id}" } }
    attributes: { id: string, address: { type: map, fields: { city: string } } }
)"));
  const Item item{{"PK", "T#1"}, {"SK", "A"}, {"address", Value::Map({{"city", "Rome"}})}};
  EXPECT_EQ(Text(rules.Put(item), "GSI1PK"), "CITY#Rome");
  EXPECT_EQ(rules.Put(With(item, "address", Value::Map({}))).Find("GSI1PK"), std::nullopt);
}

TEST(IndexKeys, HoldValuesThatStandNowhereElse) {
  const Rules rules(DesignOfEntities(R"(
  Thing:
    key: { PK: "T#{id}", SK: A }
    indexes: { GSI1: { GSI1PK: "T#{id}", GSI1SK: "DUE#{due}" } }
    attributes: { id: string, due: { type: date, stored: false }, name: string }
)"));
  const Item item{{"PK", "T#1"}, {"SK", "A"}, {"GSI1PK", "T#1"}, {"GSI1SK", "DUE#2024-01-01"}};
  EXPECT_EQ(rules.Put(item), item);
  EXPECT_EQ(Text(rules.Update(item, With(item, "name", "x")), "GSI1SK"), "DUE#2024-01-01");
}

TEST(IndexKeys, MayBeSharedByIndexes) {
  const Rules rules(DesignFrom(R"(
design: test
tables:
  main:
    name: t
    key: { partition: PK }
    indexes:
      A: { partition: X, sort: Y }
      B: { partition: X, sort: Z }
entities:
  Thing:
    key: { PK: "T#{id}" }
    indexes:
      A: { X: "K#{k}", Y: "{y}" }
      B: { X: "K#{k}", Z: "{z}" }
    attributes: { id: string, k: string, y: string, z: string }
)"));
  const Item a = rules.Put({{"PK", "T#1"}, {"k", "k"}, {"y", "1"}});
  EXPECT_EQ(Text(a, "X"), "K#k");
  EXPECT_EQ(Text(a, "Y"), "1");
  EXPECT_EQ(a.Find("Z"), std::nullopt);
  const Item b = rules.Put({{"PK", "T#1"}, {"k", "k"}, {"z", "1"}});
  EXPECT_EQ(Text(b, "X"), "K#k");
  EXPECT_EQ(b.Find("Y"), std::nullopt);
  const Item none{{"PK", "T#1"}, {"k", "k"}};
  EXPECT_EQ(rules.Put(none), none);
}

}  // namespace
}  // namespace taula::design
