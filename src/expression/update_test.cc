#include "expression/update.h"

#include "expression/testing.h"

namespace taula::expression {
namespace {

using testing::ElementsAre;

const Placeholders& Some() {
  static const Placeholders placeholders{.names = {{"#c", "c"}, {"#d", "[3]"}, {"#s", "status"}},
                                         .values = {{":s", "new"},
                                                    {":n", 1},
                                                    {":half", N("0.5")},
                                                    {":b", Value::Binary("b")},
                                                    {":bool", Value(true)},
                                                    {":null", Value()},
                                                    {":ss", Value::StringSet({"b", "c"})},
                                                    {":ns", NumberSet({"1", "2"})},
                                                    {":bs", Value::BinarySet({"x"})},
                                                    {":l", Value::List({"x", "y"})},
                                                    {":empty", Value::List({})},
                                                    {":m", Value::Map({{"k", 1}})},
                                                    {":max", N("9.9999999999999999999999999999999999999E+125")},
                                                    {":tiny", N("1E-130")},
                                                    {":digits", N("12345678901234567890123456789012345678")}}};
  return placeholders;
}

const Item& SomeItem() {
  static const Item item{
      {"pk", "key"},
      {"n", 10},
      {"s", "old"},
      {"ss", Value::StringSet({"a", "b"})},
      {"ns", NumberSet({"2", "30"})},
      {"l", Value::List({"a", "b", "c", "d"})},
      {"m", Value::Map({{"k", "v"}, {"hits", 5}, {"l", Value::List({1, 2})}, {"m2", Value::Map({{"x", 1}})}})},
      {"lm", Value::List({Value::Map({{"a", 1}}), "scalar"})},
  };
  return item;
}

Result<Item> Apply(std::string_view text, const Item& item = SomeItem()) {
  const Result<Update> update = BindUpdate(text, Some());
  if (!update) return std::unexpected(update.error());
  return update->Apply(item.attributes());
}

// SomeItem() with one attribute changed, or removed.
Item With(std::string_view name, const Value& value) { return Item(SomeItem()).Set(name, value); }

Item Without(std::string_view name) {
  Item result;
  for (const auto& [other, value] : SomeItem().attributes()) {
    if (other != name) result.Set(other, Value(value));
  }
  return result;
}

struct Case {
  std::string_view text;
  Item expected;
};

void ExpectUpdates(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const Result<Item> updated = Apply(c.text);
    ASSERT_TRUE(updated) << c.text << ": " << MessageOf(updated);
    EXPECT_EQ(*updated, c.expected) << c.text;
  }
}

Value MapWith(std::string_view name, const Value& value) {
  Item map(*SomeItem().Find("m"));
  map.Set(name, value);
  return Value(map.view());
}

TEST(Update, SetsAttributes) {
  ExpectUpdates({
      {"SET s = :s", With("s", "new")},
      {"SET fresh = :m", With("fresh", Value::Map({{"k", 1}}))},
      {"SET #s = :s", With("status", "new")},
      {"SET aa = :n, zz = :s", With("aa", 1).Set("zz", "new")},
      {"SET s = n", With("s", 10)},
      {"SET s = m.k", With("s", "v")},
      {"SET s = l[3]", With("s", "d")},
      {"SET s = n, n = s", With("s", 10).Set("n", "old")},
      {"SET a = :n, b = if_not_exists(a, :s)", With("a", 1).Set("b", "new")},
      {"SET m.k = :s", With("m", MapWith("k", "new"))},
      {"SET m.fresh = :s", With("m", MapWith("fresh", "new"))},
      {"SET m.m2.y = :s", With("m", MapWith("m2", Value::Map({{"x", 1}, {"y", "new"}})))},
      {"SET m.l[1] = :s", With("m", MapWith("l", Value::List({1, "new"})))},
      {"SET lm[0].b = :s", With("lm", Value::List({Value::Map({{"a", 1}, {"b", "new"}}), "scalar"}))},
  });
}

TEST(Update, SetsElementsOfLists) {
  ExpectUpdates({
      {"SET l[0] = :s", With("l", Value::List({"new", "b", "c", "d"}))},
      {"SET l[4] = :s", With("l", Value::List({"a", "b", "c", "d", "new"}))},
      {"SET l[100] = :s", With("l", Value::List({"a", "b", "c", "d", "new"}))},
      {"SET l[9] = :s, l[5] = :n, l[2] = :null", With("l", Value::List({"a", "b", Value(), "d", 1, "new"}))},
      {"SET l[1] = l[0], l[0] = l[1]", With("l", Value::List({"b", "a", "c", "d"}))},
  });
}

TEST(Update, Computes) {
  ExpectUpdates({
      {"SET n = n + :n", With("n", 11)},
      {"SET n = n - :n", With("n", 9)},
      {"SET n = :n - n", With("n", -9)},
      {"SET n = (n + :half)", With("n", N("10.5"))},
      {"SET m.hits = m.hits + n", With("m", MapWith("hits", 15))},
      {"SET n = if_not_exists(n, :s) + :n", With("n", 11)},
      {"SET n = if_not_exists(gone, :n) + :n", With("n", 2)},
      {"SET s = if_not_exists(gone, if_not_exists(gone2, :s))", With("s", "new")},
      {"SET s = if_not_exists(gone, n)", With("s", 10)},
      {"SET s = if_not_exists(s, gone)", SomeItem()},
      {"SET l = list_append(l, :l)", With("l", Value::List({"a", "b", "c", "d", "x", "y"}))},
      {"SET l = list_append(:l, l)", With("l", Value::List({"x", "y", "a", "b", "c", "d"}))},
      {"SET f = list_append(if_not_exists(f, :empty), :l)", With("f", Value::List({"x", "y"}))},
      {"SET f = list_append(:l, list_append(:l, :l))", With("f", Value::List({"x", "y", "x", "y", "x", "y"}))},
      {"SET n = :digits - :n", With("n", N("12345678901234567890123456789012345677"))},
  });
}

TEST(Update, Removes) {
  ExpectUpdates({
      {"REMOVE s", Without("s")},
      {"REMOVE gone", SomeItem()},
      {"REMOVE m.gone", SomeItem()},
      {"REMOVE l[1]", With("l", Value::List({"a", "c", "d"}))},
      {"REMOVE l[0], l[2], l[9]", With("l", Value::List({"b", "d"}))},
      {"REMOVE l[0] SET l[1] = :s, l[7] = :n", With("l", Value::List({"new", "c", "d", 1}))},
      {"REMOVE m.m2.x", With("m", MapWith("m2", Value::Map({})))},
      {"REMOVE lm[0].a, lm[1]", With("lm", Value::List({Value::Map({})}))},
      {"REMOVE l[0], l[1], l[2], l[3]", With("l", Value::List({}))},
  });
}

TEST(Update, AddsAndDeletes) {
  ExpectUpdates({
      {"ADD n :n", With("n", 11)},
      {"ADD fresh :n", With("fresh", 1)},
      {"ADD m.hits :half", With("m", MapWith("hits", N("5.5")))},
      {"ADD m.l[0] :n", With("m", MapWith("l", Value::List({2, 2})))},
      {"ADD ss :ss", With("ss", Value::StringSet({"a", "b", "c"}))},
      {"ADD ns :ns", With("ns", NumberSet({"1", "2", "30"}))},
      {"ADD fresh :bs", With("fresh", Value::BinarySet({"x"}))},
      {"DELETE ss :ss", With("ss", Value::StringSet({"a"}))},
      {"DELETE ns :ns", With("ns", NumberSet({"30"}))},
      {"DELETE gone :ss", SomeItem()},
      {"SET a = :n REMOVE s ADD n :n DELETE ss :ss",
       Item(Without("s")).Set("a", 1).Set("n", 11).Set("ss", Value::StringSet({"a"}))},
  });
}

TEST(Update, RemovesASetThatBecomesEmpty) {
  const Result<Item> updated = Apply("DELETE t :ss", {{"t", Value::StringSet({"b", "c"})}, {"u", 1}});
  ASSERT_TRUE(updated);
  EXPECT_EQ(*updated, (Item{{"u", 1}}));
}

TEST(Update, MakesAnItemOfItsKey) {
  const Item key{{"pk", "key"}};
  EXPECT_EQ(*Apply("SET a = :n ADD b :n", key), (Item{{"pk", "key"}, {"a", 1}, {"b", 1}}));
  EXPECT_EQ(*Apply("REMOVE a DELETE b :ss", key), key);
}

struct MessageCase {
  std::string text;
  std::string message;
};

TEST(Update, FailsOnItemsThatDoNotFit) {
  const std::string missing = "The provided expression refers to an attribute that does not exist in the item";
  const std::string type = "An operand in the update expression has an incorrect data type";
  const std::string path = "The document path provided in the update expression is invalid for update";
  const std::string overflow =
      "Number overflow. Attempting to store a number with magnitude larger than supported range";
  const MessageCase cases[] = {
      {"SET a = gone", missing},
      {"SET a = gone + :n", missing},
      {"SET a = m.gone", missing},
      {"SET a = l[4]", missing},
      {"SET a = s.k", missing},
      {"SET a = list_append(gone, :l)", missing},
      {"SET a = if_not_exists(gone, gone2)", missing},
      {"SET a = s + :n", type},
      {"SET a = :n + s", type},
      {"SET a = list_append(s, :l)", type},
      {"SET a = list_append(:l, m)", type},
      {"SET a = if_not_exists(s, :n) + :n", type},
      {"ADD s :n", type},
      {"ADD n :ss", type},
      {"ADD ss :ns", type},
      {"ADD l :ss", type},
      {"DELETE ss :ns", type},
      {"DELETE n :ns", type},
      {"SET gone.a = :n", path},
      {"SET gone[0] = :n", path},
      {"SET s.a = :n", path},
      {"SET s[0] = :n", path},
      {"SET m[0] = :n", path},
      {"SET l.a = :n", path},
      {"SET l[9].a = :n", path},
      {"SET m.gone.b = :n", path},
      {"SET lm[1].a = :n", path},
      {"REMOVE gone.a", path},
      {"REMOVE s[0]", path},
      {"REMOVE m[0]", path},
      {"ADD gone.a :n", path},
      {"DELETE gone.a :ss", path},
      {"SET gone.a = gone", missing},
      {"SET a = :max + :max", overflow},
      {"SET a = :tiny - :half", "Attempting to store more than 38 significant digits in a Number"},
      {"SET a = :digits + :half", "Attempting to store more than 38 significant digits in a Number"},
  };
  for (const MessageCase& c : cases) EXPECT_EQ(MessageOf(Apply(c.text)), c.message) << c.text;
}

TEST(Update, RefusesToNestBeyondThirtyTwoLevels) {
  Value deep("leaf");
  for (int i = 0; i < 31; ++i) deep = Value::List({deep});
  const Placeholders placeholders{.names = {}, .values = {{":deep", deep}}};
  const Item item{{"m", Value::Map({})}};
  EXPECT_TRUE(BindUpdate("SET a = :deep", placeholders)->Apply(item.attributes()));
  EXPECT_EQ(MessageOf(BindUpdate("SET m.a = :deep", placeholders)->Apply(item.attributes())),
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported "
            "limit");
}

TEST(BindUpdate, ChecksInAmazonsOrder) {
  const std::string overlap =
      "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ";
  const std::string conflict =
      "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: ";
  const std::string name = "An expression attribute name used in the document path is not defined; attribute name: ";
  const std::string value = "An expression attribute value used in expression is not defined; attribute value: ";
  const std::string count = "Incorrect number of operands for operator or function; operator or function: ";
  const std::string operand = "Incorrect operand type for operator or function; operator: ";
  const std::string function = "Incorrect operand type for operator or function; operator or function: ";
  const MessageCase cases[] = {
      {"SET a = :undefined, #u = :n", name + "#u"},
      {"SET a = if_not_exists(#v)", name + "#v"},
      {"SET a = if_not_exists(:undefined)", value + ":undefined"},
      {"ADD a :undefined", value + ":undefined"},
      {"SET a = :s, a = :n", overlap + "[a], path two: [a]"},
      {"set d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)", overlap + "[c, [1], a], path two: [c]"},
      {"set #c[3].#d = a, #c[3] = a", overlap + "[c, [3], [3]], path two: [c, [3]]"},
      {"SET a.b = :s REMOVE a", overlap + "[a, b], path two: [a]"},
      {"set #c[3].#d = a, #c.#d[3] = if_not_exists(a)", conflict + "[c, [3], [3]], path two: [c, [3], [3]]"},
      {"remove a.#c set a[1] = #d", conflict + "[a, c], path two: [a, [1]]"},
      {"set b = list_append(:s, a), c = if_not_exists(a) add a.b :s",
       operand + "ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"add a :b", operand + "ADD, operand type: BINARY, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"add a :bool", operand + "ADD, operand type: BOOLEAN, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"add a :null", operand + "ADD, operand type: NULL, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"add a :l", operand + "ADD, operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"add a :m", operand + "ADD, operand type: MAP, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"delete a :n", operand + "DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
      {"delete a :s", operand + "DELETE, operand type: STRING, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
      {"delete a :l", operand + "DELETE, operand type: LIST, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
      {"set a = if_not_exists(c)", count + "if_not_exists, number of operands: 1"},
      {"set a = list_append(c)", count + "list_append, number of operands: 1"},
      {"set a = list_append(c, d, e)", count + "list_append, number of operands: 3"},
      {"set a = if_not_exists(:s, c)",
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {"set a = if_not_exists(if_not_exists(a, b), c)",
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {"set a = list_append(:s, a)", function + "list_append, operand type: S"},
      {"set a = list_append(a, :n)", function + "list_append, operand type: N"},
      {"set a = list_append(:ss, a)", function + "list_append, operand type: SS"},
      {"set a = list_append(:m, a)", function + "list_append, operand type: M"},
      {"set a = a + :s", function + "+, operand type: S"},
      {"set a = :b + a", function + "+, operand type: B"},
      {"set a = a - :null", function + "-, operand type: NULL"},
      {"set a = a - :l", function + "-, operand type: L"},
      {"set a = :bool - :s", function + "-, operand type: BOOL"},
  };
  for (const MessageCase& c : cases) {
    EXPECT_EQ(MessageOf(BindUpdate(c.text, Some())), "Invalid UpdateExpression: " + c.message) << c.text;
  }
}

TEST(Update, ExtractsTheUpdatedPaths) {
  const auto extract = [](std::string_view text, const Item& image) {
    return BindUpdate(text, Some())->ExtractUpdated(image.attributes());
  };
  EXPECT_EQ(extract("SET s = :s, gone = :n", SomeItem()), (Item{{"s", "old"}}));
  EXPECT_EQ(extract("SET m.k = :s", SomeItem()), (Item{{"m", Value::Map({{"k", "v"}})}}));
  EXPECT_EQ(extract("SET m.k = :s, m.m2.x = :n", SomeItem()),
            (Item{{"m", Value::Map({{"k", "v"}, {"m2", Value::Map({{"x", 1}})}})}}));
  EXPECT_EQ(extract("SET l[2] = :s REMOVE l[0]", SomeItem()), (Item{{"l", Value::List({"a", "c"})}}));
  EXPECT_EQ(extract("SET l[7] = :s", SomeItem()), Item());
  EXPECT_EQ(extract("REMOVE gone", SomeItem()), Item());
  EXPECT_EQ(extract("ADD n :n DELETE ss :ss", SomeItem()), (Item{{"n", 10}, {"ss", Value::StringSet({"a", "b"})}}));
}

TEST(Update, TellsWhatItWrites) {
  const Result<Update> update = BindUpdate("SET s = n, m.k = :s REMOVE l[0] ADD #s :n DELETE ss :ss", Some());
  ASSERT_TRUE(update);
  EXPECT_THAT(update->written_attributes(), ElementsAre("l", "m", "s", "ss", "status"));
  EXPECT_TRUE(update->Writes("status"));
  EXPECT_FALSE(update->Writes("n"));
  EXPECT_TRUE(update->NamesInside("m"));
  EXPECT_FALSE(update->NamesInside("s"));
}

TEST(Update, KnowsTypesThatDoNotDependOnTheItem) {
  const Result<Update> update = BindUpdate(
      "SET a = :s, b = c, d = e + :n, f = list_append(f, :l), g = if_not_exists(g, :b), h.i = :s ADD j :ns REMOVE k",
      Some());
  ASSERT_TRUE(update);
  EXPECT_EQ(update->StaticType("a"), Type::kString);
  EXPECT_EQ(update->StaticType("b"), std::nullopt);
  EXPECT_EQ(update->StaticType("d"), Type::kNumber);
  EXPECT_EQ(update->StaticType("f"), Type::kList);
  EXPECT_EQ(update->StaticType("g"), Type::kBinary);
  EXPECT_EQ(update->StaticType("h"), std::nullopt);
  EXPECT_EQ(update->StaticType("j"), Type::kNumberSet);
  EXPECT_EQ(update->StaticType("k"), std::nullopt);
}

TEST(Update, CostsWhatItsActionsCost) {
  const auto cost = [](std::string_view text) { return BindUpdate(text, Some())->StatementCost(); };
  EXPECT_EQ(cost("SET a = :s"), 3u + 19);
  EXPECT_EQ(cost("SET a = :s, b = :s"), 3u + 19 + 19);
  EXPECT_EQ(cost("SET l[0] = :s"), 3u + 19 + 1);
  EXPECT_EQ(cost("SET a = n + :n"), 3u + 19 + 50);
  EXPECT_EQ(cost("REMOVE a, b"), 3u + 2 + 2);
  EXPECT_EQ(cost("ADD a :n DELETE b :ss"), 3u + 19 + 2);
}

}  // namespace
}  // namespace taula::expression
