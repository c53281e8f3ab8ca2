#include "design/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random_id.h"
#include "base/ulid.h"
#include "design/test_design.h"

namespace taula::design {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::int64_t kNow = 1'730'561'400'123;
constexpr std::string_view kNowText = "2024-11-02T15:30:00.123Z";
constexpr std::string_view kEarlier = "2024-01-01T00:00:00.000Z";

constexpr std::string_view kKefir = R"(
  Batch:
    key: { PK: "USER#{userId}", SK: "BATCH#{batchId}" }
    indexes:
      GSI1: { GSI1PK: "BATCH#{batchId}", GSI1SK: "STATUS#{status}#{createdAt}" }
    attributes:
      batchId:   string
      userId:    string
      name:      { type: string, required: true, max-length: 10 }
      status:    { type: enum, values: [active, ready, archived], default: active }
      stage:     { type: enum, values: [1, 2] }
      code:      { type: uuid, generated: true }
      ticket:    { type: ulid, generated: true, prefix: t_ }
      createdAt: { type: timestamp, set: on-create, immutable: true }
      updatedAt: { type: timestamp, set: on-write }
      seenAt:    { type: timestamp, format: seconds, set: on-create }
      expires:   { type: timestamp, format: epoch }
  User:
    key: { PK: "USER#{userId}", SK: METADATA }
    unique: [email, [country, nick]]
    soft-delete: deletedAt
    attributes:
      userId:    { type: string, stored: false }
      email:     { type: email, required: true }
      country:   string
      nick:      string
      password:  bcrypt
      deletedAt: timestamp
      settings:
        type: map
        fields: { theme: { type: enum, values: [dark, light], default: dark }, size: { type: integer, required: true } }
)";

class Rules {
 public:
  explicit Rules(const Design& design) : rules_(MakeRules(design, design.tables.at(0))) {}

  // The item as it is written, or the error's message.
  [[nodiscard]] std::expected<Item, std::string> Write(const Item& after, const Item* before, bool is_update) const {
    const std::optional<ValueView> old = before != nullptr ? std::optional(before->view()) : std::nullopt;
    const Result<std::optional<Item>> kept =
        rules_->Keep({.before = old, .after = after.view(), .is_update = is_update, .now_ms = kNow});
    if (!kept) {
      EXPECT_EQ(kept.error().code, ErrorCode::kValidationException);
      return std::unexpected(kept.error().message);
    }
    if (*kept) {
      EXPECT_NE(**kept, after) << "nothing is returned where nothing changes";
      return **kept;
    }
    return after;
  }

  [[nodiscard]] Item Put(const Item& item) const { return Written(Write(item, nullptr, false)); }
  [[nodiscard]] Item PutOver(const Item& before, const Item& item) const {
    return Written(Write(item, &before, false));
  }
  [[nodiscard]] Item Update(const Item& before, const Item& after) const {
    return Written(Write(after, &before, true));
  }

  [[nodiscard]] std::string RefusedPut(const Item& item) const { return Refused(Write(item, nullptr, false)); }
  [[nodiscard]] std::string RefusedUpdate(const Item& before, const Item& after) const {
    return Refused(Write(after, &before, true));
  }

  [[nodiscard]] const DesignRules* operator->() const { return rules_.get(); }

 private:
  static Item Written(const std::expected<Item, std::string>& result) {
    EXPECT_TRUE(result) << result.error();
    return result ? *result : Item();
  }
  static std::string Refused(const std::expected<Item, std::string>& result) {
    EXPECT_FALSE(result) << "was written";
    return result ? "" : result.error();
  }

  std::shared_ptr<const DesignRules> rules_;
};

Item With(Item item, std::string_view name, const Value& value) { return item.Set(name, value); }

Item Without(const Item& item, std::string_view name) {
  Item rest;
  for (const auto& [each, value] : item.attributes()) {
    if (each != name) rest.Set(each, Value(value));
  }
  return rest;
}

std::string Text(const Item& item, std::string_view name) {
  const std::optional<ValueView> value = item.Find(name);
  return value && value->type() == Type::kString ? std::string(value->bytes()) : "(none)";
}

Rules Kefir() { return Rules(DesignOfEntities(kKefir)); }

// As a client puts it.
Item Batch() { return {{"PK", "USER#1"}, {"SK", "BATCH#7"}, {"name", "first"}}; }

// As it is stored.
Item StoredBatch() {
  return {{"PK", "USER#1"},
          {"SK", "BATCH#7"},
          {"name", "first"},
          {"status", "active"},
          {"code", "9c5b94b1-35ad-49bb-b118-8e8fc24abf80"},
          {"ticket", "t_01ARZ3NDEKTSV4RRFFQ69G5FAV"},
          {"createdAt", kEarlier},
          {"updatedAt", kEarlier},
          {"seenAt", "2024-01-01T00:00:00Z"},
          {"GSI1PK", "BATCH#7"},
          {"GSI1SK", "STATUS#active#2024-01-01T00:00:00.000Z"}};
}

Item User() { return {{"PK", "USER#1"}, {"SK", "METADATA"}, {"email", "a@example.com"}}; }

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

TEST(Rules, OutliveTheirDesign) {
  auto design = std::make_unique<Design>(DesignOfEntities(kKefir));
  const Rules rules(*design);
  design.reset();
  EXPECT_EQ(Text(rules.Put(Batch()), "GSI1PK"), "BATCH#7");
}

}  // namespace
}  // namespace taula::design
