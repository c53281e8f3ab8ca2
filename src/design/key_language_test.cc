#include "design/key_language.h"

#include <gtest/gtest.h>

#include "design/load.h"

namespace taula::design {
namespace {

Design Example() {
  constexpr std::string_view kText = R"(design: x
tables: { main: { name: x-y, key: { partition: PK } } }
entities:
  E:
    key: { PK: "{text}" }
    attributes:
      text: string
      mail: email
      at: timestamp
      day: date
      id: ulid
      owner: { type: ulid, prefix: usr_ }
      other: uuid
      state: { type: enum, values: [open, shut, 7] }
      count: integer
)";
  Loaded loaded = LoadDesign(kText, "x.yaml");
  EXPECT_TRUE(loaded.design.has_value());
  return *std::move(loaded.design);
}

bool Meet(std::string_view a, std::string_view b, KeyLanguage::Text strings = KeyLanguage::Text::kOrdinary) {
  static const Design kDesign = Example();
  const Entity& entity = kDesign.entities.front();
  const Template first = *Template::Parse(a);
  const Template second = *Template::Parse(b);
  const std::string separators = SeparatorsOf(first) + SeparatorsOf(second);
  const KeyLanguage mine = KeyLanguage::Of(first, entity, strings, separators);
  const KeyLanguage theirs = KeyLanguage::Of(second, entity, strings, separators);
  EXPECT_EQ(mine.Intersects(theirs), theirs.Intersects(mine));
  return mine.Intersects(theirs);
}

TEST(KeyLanguage, TellsLiteralsApart) {
  EXPECT_TRUE(Meet("METADATA", "METADATA"));
  EXPECT_FALSE(Meet("METADATA", "PROFILE"));
  EXPECT_FALSE(Meet("USER#{id}", "POST#{id}"));
  EXPECT_FALSE(Meet("USER#", "USER#{text}")) << "a value is never empty";
}

TEST(KeyLanguage, KnowsWhatTypesLookLike) {
  EXPECT_FALSE(Meet("{at}", "METADATA"));
  EXPECT_TRUE(Meet("{text}", "METADATA"));
  EXPECT_FALSE(Meet("{day}", "{at}"));
  EXPECT_TRUE(Meet("{day}", "{at:date}"));
  EXPECT_FALSE(Meet("{id}", "{other}"));
  EXPECT_FALSE(Meet("{id}", "{owner}")) << "has a prefix";
  EXPECT_TRUE(Meet("{state}", "shut"));
  EXPECT_TRUE(Meet("{state}", "{count}")) << "7 is both";
  EXPECT_FALSE(Meet("{state}", "closed"));
  EXPECT_FALSE(Meet("{count:04}", "{count:05}"));
}

TEST(KeyLanguage, LeavesSeparatorsOutOfOrdinaryText) {
  EXPECT_FALSE(Meet("ORDER#{text}", "ORDER#{text}#LINE#{count}"));
  EXPECT_TRUE(Meet("ORDER#{text}", "ORDER#{text}#LINE#{count}", KeyLanguage::Text::kAny));
  EXPECT_FALSE(Meet("ORDER#{id}", "ORDER#{id}#LINE#{count}", KeyLanguage::Text::kAny));
}

TEST(KeyLanguage, HoldsAnythingBehindABeginning) {
  const Design design = Example();
  const Entity& entity = design.entities.front();
  const Template text = *Template::Parse("ORDER#{id}#{at}");
  const auto beginning = [&](std::size_t parts) {
    return KeyLanguage::OfBeginning(text, parts, entity, KeyLanguage::Text::kOrdinary, "#");
  };
  const auto other = [&](std::string_view written) {
    return KeyLanguage::Of(*Template::Parse(written), entity, KeyLanguage::Text::kOrdinary, "#");
  };
  EXPECT_TRUE(beginning(1).Intersects(other("ORDER#{other}")));
  EXPECT_TRUE(beginning(1).Intersects(other("ORDER#")));
  EXPECT_FALSE(beginning(1).Intersects(other("CART#{id}")));
  EXPECT_FALSE(beginning(2).Intersects(other("ORDER#{other}")));
  EXPECT_TRUE(beginning(0).Intersects(other("anything")));
}

TEST(CanHoldSeparator, IsTrueOfFreeTextBeforeALiteral) {
  const Design design = Example();
  const Entity& entity = design.entities.front();
  const auto can = [&](std::string_view text) { return CanHoldSeparator(*Template::Parse(text), 0, entity); };
  EXPECT_TRUE(can("{text}#{id}"));
  EXPECT_TRUE(can("{mail}#{id}"));
  EXPECT_TRUE(can("{text}{id}"));
  EXPECT_FALSE(can("{id}#{text}"));
  EXPECT_FALSE(can("{text:slug}#{id}"));
  EXPECT_TRUE(can("{text:slug}-{id}"));
  EXPECT_FALSE(can("{text}"));
}

}  // namespace
}  // namespace taula::design
