#include "expression/projection.h"

#include "expression/testing.h"

namespace taula::expression {
namespace {

using testing::ElementsAre;

Item Apply(std::string_view text, const Item& item, const Placeholders& placeholders = {}) {
  const Result<Projection> projection = BindProjection(text, placeholders);
  EXPECT_TRUE(projection) << text << ": " << MessageOf(projection);
  return projection ? projection->Apply(item.attributes()) : Item{{"failed", 1}};
}

const Item& SomeItem() {
  static const Item item{
      {"a", 1},
      {"b", "two"},
      {"l", Value::List({"l0", "l1", "l2", Value::List({"x", "y", "z"})})},
      {"m", Value::Map({{"k", 1}, {"j", 2}, {"nest", Value::Map({{"p", 3}, {"q", 4}})}})},
      {"lm", Value::List({Value::Map({{"a", 1}, {"b", 2}, {"c", 3}}), Value::Map({{"a", 4}})})},
      {"ss", Value::StringSet({"x"})},
  };
  return item;
}

struct Case {
  std::string_view text;
  Item expected;
};

TEST(Projection, TakesTheNamedParts) {
  const Case cases[] = {
      {"a", {{"a", 1}}},
      {"b, a", {{"a", 1}, {"b", "two"}}},
      {"a, gone", {{"a", 1}}},
      {"gone", {}},
      {"m", {{"m", Value::Map({{"k", 1}, {"j", 2}, {"nest", Value::Map({{"p", 3}, {"q", 4}})}})}}},
      {"m.k", {{"m", Value::Map({{"k", 1}})}}},
      {"m.k, m.nest.q", {{"m", Value::Map({{"k", 1}, {"nest", Value::Map({{"q", 4}})}})}}},
      {"m.nest", {{"m", Value::Map({{"nest", Value::Map({{"p", 3}, {"q", 4}})}})}}},
      {"m.gone", {}},
      {"m.gone, a", {{"a", 1}}},
      {"m.nest.gone, m.k", {{"m", Value::Map({{"k", 1}})}}},
      {"l[1]", {{"l", Value::List({"l1"})}}},
      {"l[2], l[0]", {{"l", Value::List({"l0", "l2"})}}},
      {"l[9]", {}},
      {"l[9], l[1]", {{"l", Value::List({"l1"})}}},
      {"l[3][2], l[3][0], l[1]", {{"l", Value::List({"l1", Value::List({"x", "z"})})}}},
      {"lm[0].a, lm[0].b", {{"lm", Value::List({Value::Map({{"a", 1}, {"b", 2}})})}}},
      {"lm[1].a, lm[0].c", {{"lm", Value::List({Value::Map({{"c", 3}}), Value::Map({{"a", 4}})})}}},
      {"lm[1].gone, lm[0].a", {{"lm", Value::List({Value::Map({{"a", 1}})})}}},
      {"lm[1].gone", {}},
      {"m[0]", {}},
      {"l.k", {}},
      {"a.b", {}},
      {"ss[0]", {}},
  };
  for (const Case& c : cases) EXPECT_EQ(Apply(c.text, SomeItem()), c.expected) << c.text;
}

TEST(Projection, OfAnEmptyItemIsEmpty) { EXPECT_EQ(Apply("a, m.k", Item()), Item()); }

TEST(Projection, ResolvesNames) {
  const Placeholders placeholders{.names = {{"#m", "m"}, {"#x", "nest"}, {"#dot", "k.j"}}, .values = {}};
  EXPECT_EQ(Apply("#m.#x.p", SomeItem(), placeholders), (Item{{"m", Value::Map({{"nest", Value::Map({{"p", 3}})}})}}));
  EXPECT_EQ(Apply("#m.#dot", SomeItem(), placeholders), Item());
  EXPECT_EQ(Apply("#dot", Item{{"k.j", 5}, {"k", 6}}, placeholders), (Item{{"k.j", 5}}));
}

struct MessageCase {
  std::string text;
  std::string message;
};

TEST(Projection, RefusesPathsThatExcludeEachOther) {
  const auto overlap = [](std::string_view one, std::string_view two) {
    return "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: " +
           std::string(one) + ", path two: " + std::string(two);
  };
  const MessageCase cases[] = {
      {"a, a", overlap("[a]", "[a]")},
      {"a, b, #a", overlap("[a]", "[a]")},
      {"a, a.b", overlap("[a]", "[a, b]")},
      {"a.b, a", overlap("[a, b]", "[a]")},
      {"a[0].b, a[1], a[0]", overlap("[a, [0], b]", "[a, [0]]")},
      {"x.y.z, a.b.c, a.b", overlap("[a, b, c]", "[a, b]")},
      {"a.b, a[0], x, x", overlap("[x]", "[x]")},
      {"a.b, a[0]",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path "
       "two: [a, [0]]"},
      {"a[1].b, c, a[1][0]",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, [1], b], "
       "path two: [a, [1], [0]]"},
      {"a, #b", "An expression attribute name used in the document path is not defined; attribute name: #b"},
  };
  const Placeholders placeholders{.names = {{"#a", "a"}}, .values = {}};
  for (const MessageCase& c : cases) {
    EXPECT_EQ(MessageOf(BindProjection(c.text, placeholders)), "Invalid ProjectionExpression: " + c.message) << c.text;
  }
  EXPECT_TRUE(BindProjection("a[0], a[1], b.c, b.d, c"));
}

TEST(Projection, AnIndexIsNotTheNameThatLooksLikeOne) {
  const Placeholders placeholders{.names = {{"#d", "[3]"}, {"#c", "c"}}, .values = {}};
  EXPECT_EQ(MessageOf(BindProjection("#c[3].#d, #c.#d[3]", placeholders)),
            "Invalid ProjectionExpression: Two document paths conflict with each other; must remove or rewrite one of "
            "these paths; path one: [c, [3], [3]], path two: [c, [3], [3]]");
}

TEST(Projection, TellsItsTopLevelNames) {
  const Result<Projection> projection = BindProjection("m.k, b, l[0], m.j");
  ASSERT_TRUE(projection);
  EXPECT_THAT(projection->top_level_names(), ElementsAre("b", "l", "m"));
  EXPECT_TRUE(projection->NamesInside("m"));
  EXPECT_TRUE(projection->NamesInside("l"));
  EXPECT_FALSE(projection->NamesInside("b"));
  EXPECT_FALSE(projection->NamesInside("k"));
}

TEST(Projection, OfAttributesToGet) {
  const std::vector<std::string> names = {"b", "m.k", "a"};
  const Result<Projection> projection = Projection::OfAttributes(names);
  ASSERT_TRUE(projection);
  EXPECT_EQ(projection->Apply(SomeItem().attributes()), (Item{{"a", 1}, {"b", "two"}}));
  const std::vector<std::string> twice = {"b", "a", "b"};
  EXPECT_EQ(MessageOf(Projection::OfAttributes(twice)),
            "One or more parameter values were invalid: Duplicate value in attribute name: b");
}

TEST(Projection, TakesThousandsOfPathsInGoodTime) {
  std::string text = "a0[0]";
  for (int i = 1; i < 580; ++i) text += ",l[" + std::to_string(i % 580) + "]";
  EXPECT_TRUE(BindProjection(text)) << text.size();
}

}  // namespace
}  // namespace taula::expression
