#include "expression/condition.h"

#include <set>

#include "expression/testing.h"

namespace taula::expression {
namespace {

struct MessageCase {
  std::string text;
  std::string message;
};

void ExpectMessages(const Placeholders& placeholders, const std::vector<MessageCase>& cases) {
  for (const MessageCase& c : cases) {
    EXPECT_EQ(MessageOf(BindCondition(c.text, placeholders)), "Invalid ConditionExpression: " + c.message) << c.text;
  }
}

TEST(BindCondition, MessagesNameTheKind) {
  Bindings bindings;
  const SyntaxPtr syntax = *Parse(ExpressionKind::kFilter, "#missing = :fv");
  EXPECT_EQ(
      MessageOf(Condition::Bind(ExpressionKind::kFilter, syntax, bindings)),
      "Invalid FilterExpression: An expression attribute name used in the document path is not defined; attribute "
      "name: #missing");
}

TEST(BindCondition, TellsUndefinedNames) {
  const std::string message = "An expression attribute name used in the document path is not defined; attribute name: ";
  ExpectMessages({}, {
                         {"attribute_exists(#Pictures.RearView, :a) and a=a", message + "#Pictures"},
                         {"begins_with(Pictures.#RearView)", message + "#RearView"},
                         {"(#P between :lo and :hi) and (#PC in (:cat1, :cat2))", message + "#P"},
                         {"#4g > a", message + "#4g"},
                         {"(a)between(b.c[45].#d)and(:a)", message + "#d"},
                     });
}

TEST(BindCondition, TellsUndefinedValues) {
  const std::string message = "An expression attribute value used in expression is not defined; attribute value: ";
  ExpectMessages({}, {
                         {"begins_with(:hello, #a, #b)", message + ":hello"},
                         {":a < :b", message + ":a"},
                         {":_ > a", message + ":_"},
                         {"a = b OR size(c) > :n", message + ":n"},
                     });
}

TEST(BindCondition, ChecksOneLeafAfterTheOther) {
  ExpectMessages({.names = {{"#a", "a"}}, .values = {}},
                 {{"a = #a AND #b = c",
                   "The first operand must be distinct from the remaining operands for this operator or function; "
                   "operator: =, first operand: [a]"}});
}

TEST(BindCondition, CountsOperands) {
  const auto message = [](std::string_view function, int count) {
    return "Incorrect number of operands for operator or function; operator or function: " + std::string(function) +
           ", number of operands: " + std::to_string(count);
  };
  ExpectMessages({}, {
                         {"attribute_exists(things, a) and a=a", message("attribute_exists", 2)},
                         {"attribute_not_exists(things, b)", message("attribute_not_exists", 2)},
                         {"attribute_type(things)", message("attribute_type", 1)},
                         {"begins_with(things)", message("begins_with", 1)},
                         {"begins_with(things, size(a), b)", message("begins_with", 3)},
                         {"contains(things)", message("contains", 1)},
                         {"size(things, a) > b", message("size", 2)},
                         {"a = size(b, b)", message("size", 2)},
                     });
}

TEST(BindCondition, InTakesAHundredOperands) {
  std::string hundred = "a IN (b";
  for (int i = 1; i < 100; ++i) hundred += ",b";
  EXPECT_TRUE(BindCondition(hundred + ")"));
  ExpectMessages({},
                 {{hundred + ",b)", "The IN operator is provided with too many operands; number of operands: 101"}});
}

TEST(BindCondition, OperandsMustDiffer) {
  const auto message = [](std::string_view op, std::string_view path) {
    return "The first operand must be distinct from the remaining operands for this operator or function; operator: " +
           std::string(op) + ", first operand: " + std::string(path);
  };
  ExpectMessages({.names = {{"#a", "a"}}, .values = {}},
                 {
                     {"a = a AND #a = b AND :views > a", message("=", "[a]")},
                     {"#a <> a", message("<>", "[a]")},
                     {"a > #a", message(">", "[a]")},
                     {"((a=a) OR (a=a))", message("=", "[a]")},
                     {"contains(ab.bc[1].a, ab.bc[1].#a)", message("contains", "[ab, bc, [1], a]")},
                     {"attribute_type(ab.bc[1].#a, ab.bc[1].a)", message("attribute_type", "[ab, bc, [1], a]")},
                     {"begins_with(ab.bc[1].a, ab.bc[1].#a)", message("begins_with", "[ab, bc, [1], a]")},
                     {"a IN (b, a)", message("IN", "[a]")},
                     {"a BETWEEN b AND a", message("BETWEEN", "[a]")},
                 });
  EXPECT_TRUE(BindCondition("a.b = a[0]"));
  EXPECT_TRUE(BindCondition("a = a.a"));
  EXPECT_TRUE(BindCondition("size(a) = a"));
  EXPECT_TRUE(BindCondition(":a > :a", {.names = {}, .values = {{":a", 1}}}));
}

const std::map<std::string, Value>& ValueOfEveryType() {
  static const std::map<std::string, Value> values = {
      {"S", "S"},
      {"N", 1},
      {"B", Value::Binary("b")},
      {"BOOL", Value(true)},
      {"NULL", Value()},
      {"SS", Value::StringSet({"a"})},
      {"NS", NumberSet({"1"})},
      {"BS", Value::BinarySet({"a"})},
      {"L", Value::List({})},
      {"M", Value::Map({})},
  };
  return values;
}

// Binds with :a of each type, and expects exactly those types to be refused
// that `refused` names.
void ExpectRefusedTypes(const std::string& text, const std::string& op, const std::set<std::string>& refused) {
  for (const auto& [type, value] : ValueOfEveryType()) {
    const Placeholders placeholders{.names = {}, .values = {{":a", value}}};
    const std::string expected =
        refused.contains(type)
            ? "Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: " +
                  op + ", operand type: " + type
            : "(no error)";
    EXPECT_EQ(MessageOf(BindCondition(text, placeholders)), expected) << text << " with " << type;
  }
}

TEST(BindCondition, ChecksTheTypesOfValues) {
  const std::set<std::string> not_text = {"N", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"};
  const std::set<std::string> not_ordered = {"BOOL", "NULL", "SS", "NS", "BS", "L", "M"};
  const std::set<std::string> not_string = {"N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"};
  ExpectRefusedTypes("begins_with(a, :a)", "begins_with", not_text);
  ExpectRefusedTypes("begins_with(:a, a)", "begins_with", not_text);
  ExpectRefusedTypes("a < :a", "<", not_ordered);
  ExpectRefusedTypes("a <= :a", "<=", not_ordered);
  ExpectRefusedTypes("a > :a", ">", not_ordered);
  ExpectRefusedTypes(":a >= a", ">=", not_ordered);
  ExpectRefusedTypes("a BETWEEN b AND :a", "BETWEEN", not_ordered);
  ExpectRefusedTypes(":a BETWEEN b AND c", "BETWEEN", not_ordered);
  ExpectRefusedTypes("attribute_type(a, :a)", "attribute_type", not_string);
  ExpectRefusedTypes("size(:a) > a", "size", {"N", "BOOL", "NULL"});
  ExpectRefusedTypes("a = :a", "=", {});
  ExpectRefusedTypes("a <> :a", "<>", {});
  ExpectRefusedTypes("a IN (:a)", "IN", {});
  ExpectRefusedTypes("contains(a, :a)", "contains", {});
  ExpectRefusedTypes("contains(:a, a)", "contains", {});
}

TEST(BindCondition, KnowsThatSizeIsANumber) {
  const std::string message = "Incorrect operand type for operator or function; operator or function: ";
  ExpectMessages({.names = {}, .values = {{":a", "a"}}},
                 {
                     {"begins_with(a, size(a)) and a=:a", message + "begins_with, operand type: N"},
                     {"attribute_type(a, size(a))", message + "attribute_type, operand type: N"},
                     {"size(size(a)) > :a", message + "size, operand type: N"},
                     {"attribute_type(a, b)", message + "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
                 });
}

TEST(BindCondition, ExistenceIsAskedOfPaths) {
  const std::string message = "Operator or function requires a document path; operator or function: ";
  ExpectMessages({.names = {}, .values = {{":a", "a"}}},
                 {
                     {"attribute_exists(:a) and a=a", message + "attribute_exists"},
                     {"attribute_not_exists(size(:a))", message + "attribute_not_exists"},
                 });
  ExpectMessages({.names = {}, .values = {{":a", 1}}},
                 {{"attribute_not_exists(size(:a))",
                   "Incorrect operand type for operator or function; operator or function: size, operand type: N"}});
}

TEST(BindCondition, AttributeTypeKnowsTenTypes) {
  ExpectMessages({.names = {}, .values = {{":a", "string"}}},
                 {{"attribute_type(a, :a)",
                   "Invalid attribute type name found; type: string, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"}});
  for (const auto& [type, value] : ValueOfEveryType()) {
    EXPECT_TRUE(BindCondition("attribute_type(a, :a)", {.names = {}, .values = {{":a", type}}}));
  }
}

TEST(BindCondition, ChecksTheBoundsOfBetween) {
  const Placeholders placeholders{.names = {},
                                  .values = {{":s1", "a"}, {":s2", "b"}, {":n", 1}, {":b", Value::Binary("xyz")}}};
  ExpectMessages(
      placeholders,
      {
          {"a between :n and :s1",
           "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: "
           "AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}"},
          {"a between :s2 and :s1",
           "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: "
           "AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"},
          {"a between :b and :s1",
           "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: "
           "AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=3 cap=3]}, upper bound operand: AttributeValue: "
           "{S:a}"},
      });
  EXPECT_TRUE(BindCondition("a BETWEEN :s1 AND :s1", placeholders));
  EXPECT_TRUE(BindCondition("a BETWEEN :s2 AND b", placeholders));
  EXPECT_TRUE(BindCondition("a BETWEEN :n AND size(b)", placeholders));
}

TEST(BindCondition, NumbersAreComparedAsNumbersInBounds) {
  EXPECT_TRUE(BindCondition("a BETWEEN :x AND :y", {.names = {}, .values = {{":x", 9}, {":y", 10}}}));
  EXPECT_FALSE(BindCondition("a BETWEEN :x AND :y", {.names = {}, .values = {{":x", 9}, {":y", -10}}}));
}

TEST(BindCondition, UsesWhatItNames) {
  const Value value(1);
  Bindings bindings;
  ASSERT_TRUE(bindings.AddName("#a", "a"));
  ASSERT_TRUE(bindings.AddName("#b", "b"));
  ASSERT_TRUE(bindings.AddValue(":v", value.view()));
  const SyntaxPtr syntax = *Parse(ExpressionKind::kCondition, "#a = :v OR attribute_exists(c.#b)");
  ASSERT_TRUE(Condition::Bind(ExpressionKind::kCondition, syntax, bindings));
  EXPECT_TRUE(bindings.CheckAllUsed());
}

TEST(Condition, KnowsTheAttributesItNames) {
  const Placeholders placeholders{.names = {{"#a", "real"}}, .values = {{":v", 1}}};
  const Result<Condition> condition = BindCondition("#a = :v AND size(b.c) > :v OR d[0] = e", placeholders);
  ASSERT_TRUE(condition);
  for (const std::string_view name : {"real", "b", "d", "e"}) EXPECT_TRUE(condition->Names(name)) << name;
  for (const std::string_view name : {"#a", "a", "c", ":v"}) EXPECT_FALSE(condition->Names(name)) << name;
  EXPECT_TRUE(condition->NamesInside("b"));
  EXPECT_TRUE(condition->NamesInside("d"));
  EXPECT_FALSE(condition->NamesInside("real"));
}

// ---- Evaluation ----

const Item& SomeItem() {
  static const Item item{
      {"s", "hello"},
      {"blank", ""},
      {"n", 5},
      {"big", N("123456789012345678901234567890.12345678")},
      {"neg", -3},
      {"b", Value::Binary("\x01\x02\xff")},
      {"yes", Value(true)},
      {"nope", Value(false)},
      {"nil", Value()},
      {"ss", Value::StringSet({"b", "a", ""})},
      {"ns", NumberSet({"10", "2", "3.5"})},
      {"bs", Value::BinarySet({"x", "y"})},
      {"l", Value::List({"zero", 1, Value::List({"deep"}), Value::Map({{"k", "in list"}})})},
      {"m", Value::Map({{"k", "in map"}, {"m2", Value::Map({{"n", 7}})}, {"l", Value::List({1, 2})}})},
      {"emoji", "a\xF0\x9F\x98\x80\xC3\xBC"},
  };
  return item;
}

const Placeholders& SomePlaceholders() {
  static const Placeholders placeholders{.names = {{"#dot", "a.b"}, {"#s", "s"}},
                                         .values = {{":hello", "hello"},
                                                    {":hell", "hell"},
                                                    {":ell", "ell"},
                                                    {":z", "z"},
                                                    {":empty", ""},
                                                    {":four", 4},
                                                    {":five", N("5.0")},
                                                    {":six", 6},
                                                    {":n10", N("1e1")},
                                                    {":n35", N("3.50")},
                                                    {":minus", -3},
                                                    {":zero", 0},
                                                    {":one", 1},
                                                    {":two", 2},
                                                    {":three", 3},
                                                    {":true", Value(true)},
                                                    {":nil", Value()},
                                                    {":a", "a"},
                                                    {":b12", Value::Binary("\x01\x02")},
                                                    {":b2", Value::Binary("\x02")},
                                                    {":x", Value::Binary("x")},
                                                    {":ssab", Value::StringSet({"", "a", "b"})},
                                                    {":ssa", Value::StringSet({"a"})},
                                                    {":ns", NumberSet({"3.50", "2.0", "10"})},
                                                    {":deep", Value::List({"deep"})},
                                                    {":mk", Value::Map({{"k", "in list"}})},
                                                    {":S", "S"},
                                                    {":N", "N"},
                                                    {":BOOL", "BOOL"},
                                                    {":NULL", "NULL"},
                                                    {":SS", "SS"},
                                                    {":L", "L"},
                                                    {":M", "M"},
                                                    {":B", "B"},
                                                    {":NS", "NS"},
                                                    {":BS", "BS"},
                                                    {":big", N("123456789012345678901234567890.12345678")},
                                                    {":bigger", N("123456789012345678901234567890.12345679")}}};
  return placeholders;
}

bool Evaluate(std::string_view text, const Item& item = SomeItem()) {
  const Result<Condition> condition = BindCondition(text, SomePlaceholders());
  EXPECT_TRUE(condition) << text << ": " << MessageOf(condition);
  return condition && condition->Evaluate(item.attributes());
}

class TrueConditions : public testing::TestWithParam<std::string_view> {};
TEST_P(TrueConditions, Holds) { EXPECT_TRUE(Evaluate(GetParam())); }

class FalseConditions : public testing::TestWithParam<std::string_view> {};
TEST_P(FalseConditions, DoesNotHold) { EXPECT_FALSE(Evaluate(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Equality, TrueConditions,
                         testing::Values("s = :hello", "#s = :hello", "n = :five", ":five = n", "big = :big",
                                         "yes = :true", "nil = :nil", "ss = :ssab", "ns = :ns", "l[2] = :deep",
                                         "l[3] = :mk", "m.k <> :hello", "s <> :hell", "s <> :five", "gone <> :five",
                                         "gone <> gone2", "big <> :bigger", "blank = :empty", "nope <> :true",
                                         "neg = :minus", ":one = :one", "m.m2.n <> :six", "ss <> :ssa"));
INSTANTIATE_TEST_SUITE_P(Equality, FalseConditions,
                         testing::Values("s = :hell", "s = :five", "n = :six", "gone = :five", ":five = gone",
                                         "gone = gone2", "nope = :true", "nil = :true", "ss = :ssa", "n <> :five",
                                         "big = :bigger", "s <> :hello", "blank = :nil", "l[0] = l[1]", "n = s"));
INSTANTIATE_TEST_SUITE_P(Order, TrueConditions,
                         testing::Values("n > :four", "n >= :five", "n <= :five", "n < :six", "neg < :zero",
                                         "neg <= :minus", "s > :hell", "s < :z", "blank < :a", "b > :b12",
                                         "big < :bigger", ":four < n", "n < :n10", "m.m2.n > n", "l[1] < n"));
INSTANTIATE_TEST_SUITE_P(Order, FalseConditions,
                         testing::Values("n > :five", "n < :five", "n > :six", "s < :five", "s > :five", "n > :hell",
                                         "n < :hell", "gone < :five", "gone > :five", "gone >= :five", "yes > nope",
                                         "yes >= nope", "nil <= yes", "ss < ns", "l >= m", "b < :hello", "b > :hello",
                                         "neg > :zero"));
INSTANTIATE_TEST_SUITE_P(Between, TrueConditions,
                         testing::Values("n BETWEEN :four AND :six", "n BETWEEN :five AND :five",
                                         "n BETWEEN neg AND m.m2.n", "s BETWEEN :hell AND :z",
                                         ":five BETWEEN neg AND n", "NOT n BETWEEN :six AND :n10",
                                         "size(s) BETWEEN :four AND n"));
INSTANTIATE_TEST_SUITE_P(Between, FalseConditions,
                         testing::Values("n BETWEEN :six AND :n10", "s BETWEEN :four AND :six",
                                         "gone BETWEEN :four AND :six", "n BETWEEN gone AND :six",
                                         "n BETWEEN :four AND gone", "n BETWEEN :four AND s", "n BETWEEN s AND :six",
                                         "ss BETWEEN ss2 AND ss3"));
INSTANTIATE_TEST_SUITE_P(In, TrueConditions,
                         testing::Values("n IN (:six, :five)", "s IN (:five, n, :hello)", "n IN (gone, size(s))",
                                         "ss IN (:ssa, :ssab)", "l[3] IN (:mk)"));
INSTANTIATE_TEST_SUITE_P(In, FalseConditions,
                         testing::Values("n IN (:six)", "gone IN (:six, gone2)", "n IN (:hello)",
                                         "m.gone IN (:hello)"));
INSTANTIATE_TEST_SUITE_P(Existence, TrueConditions,
                         testing::Values("attribute_exists(s)", "attribute_exists(nil)", "attribute_exists(blank)",
                                         "attribute_exists(l[3].k)", "attribute_exists(l[2][0])",
                                         "attribute_exists(m.m2.n)", "attribute_not_exists(gone)",
                                         "attribute_not_exists(l[4])", "attribute_not_exists(l[0].k)",
                                         "attribute_not_exists(m.k.k)", "attribute_not_exists(m[0])",
                                         "attribute_not_exists(s[0])", "attribute_not_exists(gone.k)",
                                         "attribute_not_exists(#dot)", "attribute_not_exists(ss[0])"));
INSTANTIATE_TEST_SUITE_P(Existence, FalseConditions,
                         testing::Values("attribute_exists(gone)", "attribute_exists(l[4])",
                                         "attribute_exists(l[2147483647])", "attribute_not_exists(nil)",
                                         "attribute_not_exists(m.l[1])"));
INSTANTIATE_TEST_SUITE_P(TypeOf, TrueConditions,
                         testing::Values("attribute_type(s, :S)", "attribute_type(n, :N)", "attribute_type(yes, :BOOL)",
                                         "attribute_type(nil, :NULL)", "attribute_type(ss, :SS)",
                                         "attribute_type(ns, :NS)", "attribute_type(bs, :BS)", "attribute_type(l, :L)",
                                         "attribute_type(m, :M)", "attribute_type(b, :B)",
                                         "attribute_type(m.l[0], :N)"));
INSTANTIATE_TEST_SUITE_P(TypeOf, FalseConditions,
                         testing::Values("attribute_type(s, :N)", "attribute_type(gone, :S)", "attribute_type(ss, :S)",
                                         "attribute_type(ns, :N)"));
INSTANTIATE_TEST_SUITE_P(BeginsWith, TrueConditions,
                         testing::Values("begins_with(s, :hell)", "begins_with(s, :hello)", "begins_with(s, :empty)",
                                         "begins_with(b, :b12)", "begins_with(:hello, :hell)"));
INSTANTIATE_TEST_SUITE_P(BeginsWith, FalseConditions,
                         testing::Values("begins_with(s, :ell)", "begins_with(:hell, s)", "begins_with(n, :hell)",
                                         "begins_with(gone, :hell)", "begins_with(s, n)", "begins_with(b, s)",
                                         "begins_with(s, gone)", "begins_with(ss, :a)", "begins_with(l, :z)",
                                         "begins_with(n, n2)"));
INSTANTIATE_TEST_SUITE_P(Contains, TrueConditions,
                         testing::Values("contains(s, :ell)", "contains(s, :empty)", "contains(b, :b2)",
                                         "contains(ss, :a)", "contains(ss, :empty)", "contains(ns, :n10)",
                                         "contains(ns, :n35)", "contains(bs, :x)", "contains(l, :one)",
                                         "contains(l, :deep)", "contains(l, :mk)", "contains(:hello, :ell)",
                                         "contains(m.l, :two)"));
INSTANTIATE_TEST_SUITE_P(Contains, FalseConditions,
                         testing::Values("contains(s, :z)", "contains(s, :one)", "contains(ss, :z)",
                                         "contains(ss, :ssa)", "contains(ns, :one)", "contains(ns, :a)",
                                         "contains(bs, :a)", "contains(l, :two)", "contains(m, :hello)",
                                         "contains(n, :five)", "contains(gone, :a)", "contains(s, gone)",
                                         "contains(b, :hello)", "contains(yes, :true)"));
INSTANTIATE_TEST_SUITE_P(Size, TrueConditions,
                         testing::Values("size(s) = n", "size(blank) = :zero", "size(b) = :three", "size(ss) = :three",
                                         "size(ns) = :three", "size(bs) = :two", "size(l) = :four", "size(m) = :three",
                                         "size(emoji) = :four", "size(:hello) = :five", "size(m.l) < size(l)",
                                         "size(s) <> :hello", "size(gone) <> :five", "size(n) <> :five"));
INSTANTIATE_TEST_SUITE_P(Size, FalseConditions,
                         testing::Values("size(s) = :four", "size(gone) >= :zero", "size(n) >= :zero",
                                         "size(yes) >= :zero", "size(nil) >= :zero", "size(s) = :hello"));
INSTANTIATE_TEST_SUITE_P(Logic, TrueConditions,
                         testing::Values("n = :five AND s = :hello", "n = :six OR s = :hello", "NOT n = :six",
                                         "NOT gone = :six", "n = :five OR n = :six AND s = :z",
                                         "NOT (n = :six OR n = :four)", "NOT NOT n = :five",
                                         "NOT n = :six AND n = :five"));
INSTANTIATE_TEST_SUITE_P(Logic, FalseConditions,
                         testing::Values("n = :five AND s = :z", "n = :six OR s = :z", "NOT n = :five",
                                         "(n = :five OR n = :six) AND s = :z", "NOT (n = :five OR n = :six)"));

TEST(Condition, AMissingItemIsAnEmptyOne) {
  const Item nothing;
  EXPECT_TRUE(Evaluate("attribute_not_exists(s)", nothing));
  EXPECT_FALSE(Evaluate("attribute_exists(s)", nothing));
  EXPECT_FALSE(Evaluate("s = :hello", nothing));
  EXPECT_TRUE(Evaluate("s <> :hello", nothing));
}

TEST(Condition, ListsItsTopLevelNamesOnceInByteOrder) {
  const Placeholders placeholders{.names = {{"#x", "a.b"}}, .values = {{":v", 1}}};
  const Result<Condition> condition =
      BindCondition("z.y = :v OR NOT size(b) > :v OR b IN (:v, c[1].d) OR #x < :v", placeholders);
  ASSERT_TRUE(condition) << MessageOf(condition);
  EXPECT_THAT(condition->top_level_names(), ::testing::ElementsAre("a.b", "b", "c", "z"));
}

}  // namespace
}  // namespace taula::expression
