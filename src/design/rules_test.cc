// What a design makes of an item that is new, replaced or updated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random_id.h"
#include "base/ulid.h"
#include "design/rules.h"
#include "design/rules_testing.h"

namespace taula::design {
namespace {

using namespace rules_testing;  // NOLINT(google-build-using-namespace): all of it is for these tests
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(NewItem, GetsItsDefaultsTimesIdsAndIndexKeys) {
  const Item item = Kefir().Put(Batch());
  EXPECT_EQ(Text(item, "status"), "active");
  EXPECT_EQ(Text(item, "createdAt"), kNowText);
  EXPECT_EQ(Text(item, "updatedAt"), kNowText);
  EXPECT_EQ(Text(item, "seenAt"), "2024-11-02T15:30:00Z");
  EXPECT_EQ(Text(item, "GSI1PK"), "BATCH#7");
  EXPECT_EQ(Text(item, "GSI1SK"), "STATUS#active#2024-11-02T15:30:00.123Z");
  EXPECT_TRUE(base::IsUuid(Text(item, "code")));
  ASSERT_THAT(Text(item, "ticket"), StartsWith("t_"));
  EXPECT_TRUE(base::IsUlid(Text(item, "ticket").substr(2)));
  EXPECT_EQ(item.attributes().size(), 11U) << "and nothing else";
}

TEST(NewItem, KeepsWhatItGives) {
  const Item given = StoredBatch();
  EXPECT_EQ(Kefir().Put(given), given);
}

TEST(NewItem, IsTheSameThroughAnUpdateThatMakesIt) {
  const std::expected<Item, std::string> made = Kefir().Write(Batch(), nullptr, true);
  ASSERT_TRUE(made) << made.error();
  EXPECT_EQ(Text(*made, "GSI1SK"), "STATUS#active#2024-11-02T15:30:00.123Z");
}

TEST(NewItem, GetsTimesOfAttributesThatAreNumbers) {
  const Rules rules(DesignOfEntities(R"(
  Visit:
    key: { PK: "VISIT#{id}", SK: A }
    attributes: { id: string, at: { type: timestamp, format: epoch, set: on-create } }
)"));
  EXPECT_EQ(rules.Put({{"PK", "VISIT#1"}, {"SK", "A"}}).Find("at")->number_text(), "1730561400");
}

TEST(NewItem, GetsNothingForAttributesThatAreInItsKey) {
  const Rules rules(DesignOfEntities(R"(
  Event:
    key: { PK: "EVENT#{id}", SK: "AT#{at}" }
    attributes: { id: { type: ulid, generated: true }, at: { type: timestamp, set: on-create } }
)"));
  const Item item{{"PK", "EVENT#01ARZ3NDEKTSV4RRFFQ69G5FAV"}, {"SK", "AT#2024-01-01T00:00:00.000Z"}};
  EXPECT_EQ(rules.Put(item), item);
}

TEST(NewItem, GetsTheDefaultsOfFieldsOfAMapThatItHas) {
  const Item item = Kefir().Put(With(User(), "settings", Value::Map({{"size", 3}})));
  EXPECT_EQ(*item.Find("settings"), Value::Map({{"size", 3}, {"theme", "dark"}}).view());
  EXPECT_EQ(Kefir().Put(User()).Find("settings"), std::nullopt);
  const Item full = With(User(), "settings", Value::Map({{"size", 3}, {"theme", "light"}}));
  EXPECT_EQ(Kefir().Put(full), full);
}

TEST(PutOver, KeepsTheTimeOfCreationAndTheIdsOfTheOldItem) {
  const Item item = Kefir().PutOver(StoredBatch(), With(Batch(), "status", "ready"));
  EXPECT_EQ(Text(item, "createdAt"), kEarlier);
  EXPECT_EQ(Text(item, "code"), "9c5b94b1-35ad-49bb-b118-8e8fc24abf80");
  EXPECT_EQ(Text(item, "ticket"), "t_01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(Text(item, "updatedAt"), kNowText);
  EXPECT_EQ(Text(item, "GSI1SK"), "STATUS#ready#2024-01-01T00:00:00.000Z");
}

TEST(PutOver, IsAWholeItemAndGetsDefaults) {
  EXPECT_EQ(Text(Kefir().PutOver(With(StoredBatch(), "status", "ready"), Batch()), "status"), "active");
}

TEST(PutOver, MakesWhatTheOldItemDidNotHave) {
  const Item item = Kefir().PutOver(Batch(), Batch());
  EXPECT_EQ(Text(item, "createdAt"), kNowText);
  EXPECT_TRUE(base::IsUuid(Text(item, "code")));
}

TEST(PutOver, TakesATimeOfWritingThatIsGiven) {
  EXPECT_EQ(Text(Kefir().PutOver(StoredBatch(), StoredBatch()), "updatedAt"), kEarlier);
}

TEST(PutOver, MovesAnIndexKeyThatTheClientSentBackAsItWas) {
  const Item item = Kefir().PutOver(StoredBatch(), With(StoredBatch(), "status", "ready"));
  EXPECT_EQ(Text(item, "GSI1SK"), "STATUS#ready#2024-01-01T00:00:00.000Z");
}

TEST(Update, MovesIndexKeysAndTheTimeOfWriting) {
  const Item item = Kefir().Update(StoredBatch(), With(StoredBatch(), "status", "ready"));
  EXPECT_EQ(Text(item, "GSI1SK"), "STATUS#ready#2024-01-01T00:00:00.000Z");
  EXPECT_EQ(Text(item, "updatedAt"), kNowText);
  EXPECT_EQ(Text(item, "createdAt"), kEarlier);
}

TEST(Update, TakesATimeOfWritingThatItGives) {
  const Item after = With(With(StoredBatch(), "name", "x"), "updatedAt", "2024-02-02T00:00:00.000Z");
  EXPECT_EQ(Kefir().Update(StoredBatch(), after), after);
}

TEST(Update, ThatChangesNothingIsLeftAlone) {
  EXPECT_EQ(Kefir().Update(StoredBatch(), StoredBatch()), StoredBatch());
  const Item bad = With(StoredBatch(), "status", "reday");
  EXPECT_EQ(Kefir().Update(bad, bad), bad);
}

TEST(Update, GivesExistingItemsNoDefaultsAndNoIds) {
  Item before = Without(Without(Without(StoredBatch(), "code"), "status"), "seenAt");
  before = Without(Without(before, "GSI1PK"), "GSI1SK");
  const Item item = Kefir().Update(before, With(before, "name", "x"));
  EXPECT_EQ(item.Find("code"), std::nullopt);
  EXPECT_EQ(item.Find("status"), std::nullopt);
  EXPECT_EQ(item.Find("seenAt"), std::nullopt);
}

TEST(Update, TakesTheItemOutOfAnIndexWhenAnAttributeOfItsKeyGoes) {
  const Item item = Kefir().Update(StoredBatch(), Without(StoredBatch(), "status"));
  EXPECT_EQ(item.Find("GSI1PK"), std::nullopt);
  EXPECT_EQ(item.Find("GSI1SK"), std::nullopt);
}

TEST(Update, DerivesKeysThatTheClientRemoved) {
  EXPECT_EQ(Text(Kefir().Update(StoredBatch(), Without(StoredBatch(), "GSI1SK")), "GSI1SK"),
            "STATUS#active#2024-01-01T00:00:00.000Z");
}

TEST(Update, MayNotChangeWhatIsImmutable) {
  EXPECT_THAT(Kefir().RefusedUpdate(StoredBatch(), With(StoredBatch(), "createdAt", "2024-02-02T00:00:00.000Z")),
              HasSubstr("createdAt may not change from '2024-01-01T00:00:00.000Z' to '2024-02-02T00:00:00.000Z'"));
  EXPECT_THAT(Kefir().RefusedUpdate(StoredBatch(), Without(StoredBatch(), "createdAt")),
              HasSubstr("createdAt may not be removed; it is '2024-01-01T00:00:00.000Z'"));
}

TEST(Update, MayGiveAnImmutableAttributeThatWasNotThere) {
  const Item before = Without(Without(Without(StoredBatch(), "createdAt"), "GSI1PK"), "GSI1SK");
  EXPECT_EQ(Text(Kefir().Update(before, With(before, "createdAt", kEarlier)), "GSI1SK"),
            "STATUS#active#2024-01-01T00:00:00.000Z");
}

// An item from before the design, or from before it changed.
Item OldUser() {
  return User().Set("email", "not an address").Set("nick", 7).Set("settings", Value::Map({{"theme", "pink"}}));
}

TEST(Update, OfAnItemThatWasWrongBeforeAnswersOnlyForWhatItTouches) {
  const Rules rules = Kefir();
  EXPECT_EQ(Text(rules.Update(OldUser(), With(OldUser(), "country", "es")), "country"), "es");
  EXPECT_EQ(Text(rules.Update(OldUser(), With(OldUser(), "email", "a@example.com")), "email"), "a@example.com");
  const Item nameless = Without(StoredBatch(), "name");
  EXPECT_EQ(Text(rules.Update(nameless, With(nameless, "status", "ready")), "status"), "ready");
  EXPECT_THAT(rules.RefusedUpdate(OldUser(), With(OldUser(), "email", "nor this")), HasSubstr("email must be"));
  EXPECT_THAT(rules.RefusedUpdate(User(), Without(User(), "email")), HasSubstr("email is required"));
}

TEST(Update, LooksInsideOfMapsAndListsForWhatItTouches) {
  const Rules rules = Kefir();
  const auto with = [](Value settings) { return With(OldUser(), "settings", settings); };
  static_cast<void>(rules.Update(OldUser(), with(Value::Map({{"theme", "pink"}, {"size", 3}}))));
  static_cast<void>(rules.Update(OldUser(), with(Value::Map({{"theme", "dark"}}))));
  EXPECT_THAT(rules.RefusedUpdate(OldUser(), with(Value::Map({{"theme", "blue"}}))),
              HasSubstr("settings.theme must be one of dark, light, not 'blue'"));
  EXPECT_THAT(rules.RefusedUpdate(OldUser(), with(Value::Map({{"theme", "pink"}, {"size", "large"}}))),
              HasSubstr("settings.size must be a whole number"));
  EXPECT_THAT(rules.RefusedUpdate(OldUser(), with("none")), HasSubstr("settings must be a map"));
  const Item sized = With(User(), "settings", Value::Map({{"size", 3}}));
  EXPECT_THAT(rules.RefusedUpdate(sized, With(sized, "settings", Value::Map({{"theme", "dark"}}))),
              HasSubstr("settings.size is required"));
}

TEST(Update, OfAnItemThatFitsNoEntityIsAllowed) {
  const Rules rules = Kefir();
  const Item alien{{"PK", "SHIP#1"}, {"SK", "A"}};
  EXPECT_EQ(Text(rules.Update(alien, With(alien, "name", "x")), "name"), "x");
  EXPECT_THAT(rules.RefusedPut(alien), HasSubstr("fits no entity"));
}

TEST(Rules, OutliveTheirDesign) {
  auto design = std::make_unique<Design>(DesignOfEntities(kKefir));
  const Rules rules(*design);
  design.reset();
  EXPECT_EQ(Text(rules.Put(Batch()), "GSI1PK"), "BATCH#7");
}

}  // namespace
}  // namespace taula::design
