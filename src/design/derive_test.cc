#include "design/derive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/ulid.h"
#include "design/test_design.h"

namespace taula::design {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kNow = 1'730'561'400'123;
constexpr std::string_view kNowText = "2024-11-02T15:30:00.123Z";

constexpr std::string_view kEntities = R"(
  Notification:
    key: { PK: "USER#{userId}", SK: "NOTIF#{createdAt}#{id}" }
    indexes: { GSI1: { GSI1PK: "NOTIF#{id}", GSI1SK: "NOTIF#{id}" } }
    attributes:
      id:        { type: ulid, generated: true }
      userId:    { type: string, stored: false }
      title:     { type: string, required: true }
      createdAt: { type: timestamp, set: on-create }
      updatedAt: { type: timestamp, set: on-write }
  Post:
    type: { entityType: POST }
    map: data
    key: { PK: "POST#{postId}", SK: METADATA }
    indexes: { GSI1: { GSI1PK: "POST#STATUS#{status}", GSI1SK: "{createdAt}" } }
    unique: [title]
    attributes:
      postId:    { type: string, stored: false }
      title:     { type: string, required: true }
      status:    { type: enum, values: [draft, published], default: draft }
      createdAt: { type: timestamp, set: on-create, top: true }
      token:     { type: string, secret: true }
      author:    { type: map, fields: { name: string, hash: bcrypt } }
  Score:
    key: { PK: "GAME#{game}", SK: "P#{rank:04}#{level}" }
    indexes: { GSI1: { GSI1PK: "GAME#{game}", GSI1SK: "DAY#{day}" } }
    attributes:
      game:  { type: string, stored: false }
      rank:  { type: integer, stored: false }
      level: { type: enum, values: [1, 2], stored: false }
      day:   { type: date, stored: false }
      note:  string
  Member:
    key: { PK: "MEMBER#{id}", SK: METADATA }
    attributes: { id: string, email: email, password: bcrypt }
)";

class DeriverTest : public ::testing::Test {
 protected:
  Deriver deriver_{DesignOfEntities(kEntities)};

  [[nodiscard]] Item ItemOf(std::string_view entity, const Item& attributes, const Item* before = nullptr) const {
    const std::optional<ValueView> old = before != nullptr ? std::optional(before->view()) : std::nullopt;
    Result<Item> item = deriver_.ItemOf(entity, attributes.view(), old, kNow);
    EXPECT_TRUE(item) << item.error().message;
    return item ? std::move(*item) : Item();
  }

  [[nodiscard]] std::string Refused(std::string_view entity, const Item& attributes) const {
    const Result<Item> item = deriver_.ItemOf(entity, attributes.view(), std::nullopt, kNow);
    EXPECT_FALSE(item);
    return item ? "" : item.error().message;
  }

  [[nodiscard]] Item AttributesOf(std::string_view entity, const Item& item) const {
    return deriver_.AttributesOf(entity, item.view());
  }
};

std::string Text(const Item& item, std::string_view name) {
  const std::optional<ValueView> value = item.Find(name);
  return value && value->type() == Type::kString ? std::string(value->bytes()) : "(none)";
}

TEST_F(DeriverTest, MakesAWholeItemWithANewKey) {
  const Item item = ItemOf("Notification", {{"userId", "7"}, {"title", "Hi"}});
  const std::string id = Text(item, "id");
  EXPECT_TRUE(base::IsUlid(id));
  EXPECT_EQ(item, Item({{"PK", "USER#7"},
                        {"SK", "NOTIF#" + std::string(kNowText) + "#" + id},
                        {"GSI1PK", "NOTIF#" + id},
                        {"GSI1SK", "NOTIF#" + id},
                        {"id", id},
                        {"title", "Hi"},
                        {"createdAt", kNowText},
                        {"updatedAt", kNowText}}));
}

TEST_F(DeriverTest, PutsAttributesIntoTheirMap) {
  const Item wanted{{"PK", "POST#1"},
                    {"SK", "METADATA"},
                    {"GSI1PK", "POST#STATUS#draft"},
                    {"GSI1SK", kNowText},
                    {"entityType", "POST"},
                    {"createdAt", kNowText},
                    {"data", Value::Map({{"title", "Hi"}, {"status", "draft"}})}};
  EXPECT_EQ(ItemOf("Post", {{"postId", "1"}, {"title", "Hi"}}), wanted);
  EXPECT_EQ(ItemOf("Post", {{"postId", "1"}, {"data", Value::Map({{"title", "Hi"}})}}), wanted) << "from inside too";
}

TEST_F(DeriverTest, KeepsAttributesThatTheDesignDoesNotKnow) {
  const Item item = ItemOf("Post", {{"postId", "1"}, {"title", "Hi"}, {"extra", 5}});
  ASSERT_TRUE(item.Find("extra"));
  EXPECT_EQ(*item.Find("extra"), Value(5).view());
}

TEST_F(DeriverTest, KeepsTheTimeOfCreationOfWhatItReplaces) {
  const Item before = ItemOf("Post", {{"postId", "1"}, {"title", "Hi"}, {"createdAt", "2024-01-01T00:00:00.000Z"}});
  EXPECT_EQ(Text(ItemOf("Post", {{"postId", "1"}, {"title", "Ho"}}, &before), "createdAt"), "2024-01-01T00:00:00.000Z");
}

TEST_F(DeriverTest, WritesNumbersIntoKeysAndValuesThatStandOnlyInAnIndexKey) {
  EXPECT_EQ(ItemOf("Score", {{"game", "g"}, {"rank", 12}, {"level", 2}, {"day", "2024-01-01"}}),
            Item({{"PK", "GAME#g"}, {"SK", "P#0012#2"}, {"GSI1PK", "GAME#g"}, {"GSI1SK", "DAY#2024-01-01"}}));
}

TEST_F(DeriverTest, RefusesWhatATableWouldRefuse) {
  EXPECT_EQ(Refused("Notification", {{"userId", "7"}}),
            "Item does not fit entity Notification of design test: title is required");
  EXPECT_THAT(Refused("Post", {{"postId", "1"}, {"title", "Hi"}, {"status", "x"}}),
              HasSubstr("data.status must be one of draft, published, not 'x'"));
}

TEST_F(DeriverTest, RefusesAKeyThatLacksAnAttributeOrCouldNotBeReadBack) {
  EXPECT_EQ(Refused("Notification", {{"title", "Hi"}}),
            "Item does not fit entity Notification of design test: userId is required");
  EXPECT_THAT(Refused("Notification", {{"userId", ""}, {"title", "Hi"}}),
              HasSubstr("userId must not be '': PK is made of it, as USER#{userId}"));
  EXPECT_THAT(Refused("Notification", {{"userId", "1"}, {"title", "Hi"}, {"createdAt", "a#b"}}),
              HasSubstr("createdAt must not contain '#', which follows it in SK"));
  EXPECT_THAT(Refused("Score", {{"game", "g"}, {"rank", 123456}, {"level", 1}}), HasSubstr("rank must not be 123456"));
}

TEST_F(DeriverTest, MakesKeysWithoutGeneratingAnything) {
  const Result<Item> key = deriver_.KeyOf("Score", Item({{"game", "g"}, {"rank", 3}, {"level", 1}}).view());
  ASSERT_TRUE(key);
  EXPECT_EQ(*key, Item({{"PK", "GAME#g"}, {"SK", "P#0003#1"}}));
  const Result<Item> without = deriver_.KeyOf("Notification", Item({{"userId", "1"}, {"createdAt", "x"}}).view());
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().message, HasSubstr("id is required"));
}

TEST_F(DeriverTest, MovesKeysAndTimesInAnUpdate) {
  const Item before = ItemOf("Post", {{"postId", "1"}, {"title", "Hi"}});
  Item after = before;
  after.Set("data", Value::Map({{"title", "Hi"}, {"status", "published"}}));
  const Result<Item> updated = deriver_.Updated("Post", before.view(), after.view(), kNow + 1000);
  ASSERT_TRUE(updated) << updated.error().message;
  EXPECT_EQ(Text(*updated, "GSI1PK"), "POST#STATUS#published");
  EXPECT_EQ(Text(*updated, "createdAt"), kNowText);
  EXPECT_EQ(*deriver_.Updated("Post", before.view(), before.view(), kNow + 1000), before);
}

TEST_F(DeriverTest, ReadsAnItemBackIntoItsAttributes) {
  const Item attributes{{"id", "01ARZ3NDEKTSV4RRFFQ69G5FAV"},
                        {"userId", "7"},
                        {"title", "Hi"},
                        {"createdAt", kNowText},
                        {"updatedAt", kNowText},
                        {"extra", Value::List({1})}};
  EXPECT_EQ(AttributesOf("Notification", ItemOf("Notification", attributes)), attributes);
}

TEST_F(DeriverTest, FlattensTheMapAndLeavesOutMarksAndSecrets) {
  const std::string hash = "$2b$10$" + std::string(53, 'a');
  const Item item = ItemOf("Post", {{"postId", "1"},
                                    {"title", "Hi"},
                                    {"token", "s3cret"},
                                    {"author", Value::Map({{"name", "Ann"}, {"hash", hash}})}});
  EXPECT_EQ(AttributesOf("Post", item), Item({{"postId", "1"},
                                              {"title", "Hi"},
                                              {"status", "draft"},
                                              {"createdAt", kNowText},
                                              {"author", Value::Map({{"name", "Ann"}})}}));
}

TEST_F(DeriverTest, GivesValuesFromKeysTheirTypes) {
  const Item attributes{{"game", "g"}, {"rank", 12}, {"level", 2}, {"day", "2024-01-01"}};
  EXPECT_EQ(AttributesOf("Score", ItemOf("Score", attributes)), attributes);
}

TEST_F(DeriverTest, ReadsPartsOfItems) {
  EXPECT_EQ(AttributesOf("Notification", {{"title", "Hi"}}), Item({{"title", "Hi"}}));
}

TEST_F(DeriverTest, KeepsIndexKeysThatAreAttributes) {
  EXPECT_EQ(AttributesOf("Member", {{"PK", "MEMBER#1"}, {"SK", "METADATA"}, {"email", "a@example.com"}}),
            Item({{"id", "1"}, {"email", "a@example.com"}}));
}

TEST_F(DeriverTest, TellsEntitiesApart) {
  EXPECT_EQ(deriver_.EntityOf("main", ItemOf("Post", {{"postId", "1"}, {"title", "Hi"}}).view()), "Post");
  EXPECT_EQ(deriver_.EntityOf("main", Item({{"PK", "x"}, {"SK", "y"}}).view()), std::nullopt);
  EXPECT_EQ(deriver_.EntityOf("other", Item({{"PK", "POST#1"}, {"SK", "METADATA"}}).view()), std::nullopt);
}

TEST_F(DeriverTest, FindsAttributesWhereTheyAreKept) {
  const Item item = ItemOf("Post", {{"postId", "1"}, {"title", "Hi"}, {"token", "s3cret"}});
  ASSERT_TRUE(deriver_.Find("Post", "token", item.view()));
  EXPECT_EQ(deriver_.Find("Post", "token", item.view())->bytes(), "s3cret");
  EXPECT_EQ(deriver_.Find("Post", "postId", item.view()), std::nullopt);
  EXPECT_EQ(deriver_.Find("Post", "nothing", item.view()), std::nullopt);
}

TEST_F(DeriverTest, ClaimsWhatATableWouldClaim) {
  const std::vector<catalog::Claim> claims =
      deriver_.ClaimsOf("Post", ItemOf("Post", {{"postId", "1"}, {"title", "Hi"}}).view());
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_EQ(claims[0].meaning, "title 'Hi' of entity Post");
}

}  // namespace
}  // namespace taula::design
