#include "expression/legacy.h"

#include "expression/testing.h"

namespace taula::expression {
namespace {

using Op = ComparisonOperator;

const Item& SomeItem() {
  static const Item item{
      {"s", "hello"},
      {"n", 5},
      {"nil", Value()},
      {"ss", Value::StringSet({"a", "b"})},
      {"ns", NumberSet({"1", "2"})},
      {"l", Value::List({"x", 1})},
      {"m", Value::Map({{"k", 1}})},
  };
  return item;
}

using NamedCondition = AttributeConditions::value_type;

NamedCondition Where(std::string attribute, Op op, std::vector<Value> values) {
  return {std::move(attribute), {op, std::move(values)}};
}

// Whether something was bound that holds for the item.
bool HoldsFor(const Result<std::optional<Condition>>& condition, const Item& item) {
  EXPECT_TRUE(condition) << MessageOf(condition);
  return condition && *condition && (*condition)->Evaluate(item.attributes());
}

bool Holds(const std::optional<AttributeConditions>& conditions, std::optional<ConditionalOperator> op = std::nullopt) {
  return HoldsFor(BindFilter(conditions, op), SomeItem());
}

TEST(ComparisonOperators, AreKnownByTheirNames) {
  for (const std::string_view name : {"EQ", "NE", "IN", "LE", "LT", "GE", "GT", "BETWEEN", "NOT_NULL", "NULL",
                                      "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH"}) {
    const std::optional<Op> op = ParseComparisonOperator(name);
    ASSERT_TRUE(op) << name;
    EXPECT_EQ(NameOf(*op), name);
  }
  EXPECT_FALSE(ParseComparisonOperator("eq"));
  EXPECT_FALSE(ParseComparisonOperator(""));
}

TEST(LegacyFilter, Compares) {
  const AttributeConditions holding = {
      Where("n", Op::kEq, {5}),
      Where("ss", Op::kEq, {Value::StringSet({"b", "a"})}),
      Where("m", Op::kEq, {Value::Map({{"k", 1}})}),
      Where("n", Op::kNe, {6}),
      Where("n", Op::kNe, {"5"}),
      Where("gone", Op::kNe, {6}),
      Where("n", Op::kIn, {4, 5}),
      Where("n", Op::kLe, {5}),
      Where("n", Op::kLt, {6}),
      Where("n", Op::kGe, {5}),
      Where("n", Op::kGt, {4}),
      Where("n", Op::kBetween, {5, 6}),
      Where("nil", Op::kNotNull, {}),
      Where("gone", Op::kNull, {}),
      Where("s", Op::kContains, {"ell"}),
      Where("ss", Op::kContains, {"a"}),
      Where("ns", Op::kContains, {2}),
      Where("l", Op::kContains, {1}),
      Where("s", Op::kNotContains, {"z"}),
      Where("ss", Op::kNotContains, {"z"}),
      Where("n", Op::kNotContains, {5}),
      Where("s", Op::kBeginsWith, {"he"}),
  };
  for (const NamedCondition& c : holding) {
    EXPECT_TRUE(Holds(AttributeConditions{c})) << c.first << " " << NameOf(c.second.comparison);
  }
  const AttributeConditions failing = {
      Where("n", Op::kEq, {6}),
      Where("n", Op::kEq, {"5"}),
      Where("gone", Op::kEq, {5}),
      Where("n", Op::kNe, {5}),
      Where("n", Op::kIn, {4, 6}),
      Where("gone", Op::kIn, {4}),
      Where("n", Op::kLe, {4}),
      Where("n", Op::kLt, {5}),
      Where("n", Op::kGe, {6}),
      Where("n", Op::kGt, {5}),
      Where("s", Op::kGt, {1}),
      Where("n", Op::kBetween, {6, 7}),
      Where("gone", Op::kNotNull, {}),
      Where("nil", Op::kNull, {}),
      Where("s", Op::kContains, {"z"}),
      Where("gone", Op::kContains, {1}),
      Where("s", Op::kNotContains, {"ell"}),
      Where("gone", Op::kNotContains, {"z"}),
      Where("n", Op::kBeginsWith, {"he"}),
      Where("s", Op::kBeginsWith, {"lo"}),
  };
  for (const NamedCondition& c : failing) {
    EXPECT_FALSE(Holds(AttributeConditions{c})) << c.first << " " << NameOf(c.second.comparison);
  }
}

TEST(LegacyFilter, CombinesWithAndUnlessToldOtherwise) {
  const auto yes = Where("n", Op::kEq, {5});
  const auto no = Where("s", Op::kEq, {"z"});
  EXPECT_FALSE(Holds(AttributeConditions{yes, no}));
  EXPECT_FALSE(Holds(AttributeConditions{yes, no}, ConditionalOperator::kAnd));
  EXPECT_TRUE(Holds(AttributeConditions{no, yes}, ConditionalOperator::kOr));
  EXPECT_FALSE(Holds(AttributeConditions{no, no}, ConditionalOperator::kOr));
}

TEST(LegacyFilter, NamesAttributesWhole) {
  const std::optional conditions = AttributeConditions{Where("a.b", Op::kEq, {1})};
  const Result<std::optional<Condition>> condition = BindFilter(conditions, std::nullopt);
  ASSERT_TRUE(condition && *condition);
  EXPECT_TRUE((*condition)->Names("a.b"));
  EXPECT_FALSE((*condition)->Names("a"));
  EXPECT_TRUE(HoldsFor(condition, Item{{"a.b", 1}}));
  EXPECT_FALSE(HoldsFor(condition, Item{{"a", Value::Map({{"b", 1}})}}));
}

TEST(LegacyFilter, ChecksItsValues) {
  const std::string invalid = "One or more parameter values were invalid: ";
  const struct {
    NamedCondition condition;
    std::string message;
  } cases[] = {
      {Where("a", Op::kEq, {}), invalid + "Invalid number of argument(s) for the EQ ComparisonOperator"},
      {Where("a", Op::kEq, {1, 2}), invalid + "Invalid number of argument(s) for the EQ ComparisonOperator"},
      {Where("a", Op::kNull, {1}), invalid + "Invalid number of argument(s) for the NULL ComparisonOperator"},
      {Where("a", Op::kNotNull, {1}), invalid + "Invalid number of argument(s) for the NOT_NULL ComparisonOperator"},
      {Where("a", Op::kIn, {}), invalid + "Invalid number of argument(s) for the IN ComparisonOperator"},
      {Where("a", Op::kBetween, {1}), invalid + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
      {Where("a", Op::kBetween, {1, 2, 3}),
       invalid + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
      {Where("a", Op::kIn, {1, "b"}), invalid + "AttributeValues inside AttributeValueList must be of same type"},
      {Where("a", Op::kBetween, {1, "b"}), invalid + "AttributeValues inside AttributeValueList must be of same type"},
      {Where("a", Op::kLt, {Value(true)}), invalid + "ComparisonOperator LT is not valid for BOOL AttributeValue type"},
      {Where("a", Op::kIn, {Value::StringSet({"a"})}),
       invalid + "ComparisonOperator IN is not valid for SS AttributeValue type"},
      {Where("a", Op::kContains, {Value::List({})}),
       invalid + "ComparisonOperator CONTAINS is not valid for L AttributeValue type"},
      {Where("a", Op::kBeginsWith, {1}),
       invalid + "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
      {Where("a", Op::kBetween, {2, 1}),
       "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
  };
  for (const auto& c : cases) {
    const std::optional conditions = AttributeConditions{c.condition};
    EXPECT_EQ(MessageOf(BindFilter(conditions, std::nullopt)), c.message);
    EXPECT_EQ(MessageOf(BindKeyConditions(conditions)), c.message);
  }
}

TEST(LegacyFilter, TakesABareComparisonForOneWithoutValues) {
  const std::optional conditions = AttributeConditions{{"n", {.comparison = Op::kNotNull}}, {"gone", {Op::kNull, {}}}};
  EXPECT_TRUE(Holds(conditions));
}

TEST(LegacyParameters, BindNothingWhereThereIsNothing) {
  EXPECT_EQ(BindFilter(std::nullopt, std::nullopt).value(), std::nullopt);
  EXPECT_EQ(BindFilter(AttributeConditions(), std::nullopt).value(), std::nullopt);
  EXPECT_EQ(BindExpected(std::nullopt, std::nullopt).value(), std::nullopt);
  EXPECT_EQ(BindExpected(ExpectedAttributes(), std::nullopt).value(), std::nullopt);
  EXPECT_FALSE(BindKeyConditions(std::nullopt).value());
  EXPECT_FALSE(BindUpdates(std::nullopt).value());
}

TEST(LegacyParameters, MayBeMovedAsAWholeOnceBound) {
  std::optional conditions = AttributeConditions{Where("s", Op::kEq, {"hello"}), Where("n", Op::kEq, {5})};
  const Result<std::optional<Condition>> condition = BindFilter(conditions, std::nullopt);
  const std::optional moved = std::move(conditions);
  EXPECT_TRUE(HoldsFor(condition, SomeItem()));
}

TEST(ConditionalOperators, NeedTwoConditions) {
  const AttributeConditions none;
  const AttributeConditions one = {Where("a", Op::kEq, {1})};
  const AttributeConditions two = {Where("a", Op::kEq, {1}), Where("b", Op::kEq, {1})};
  constexpr std::string_view kTooFew =
      "ConditionalOperator can only be used when Filter or Expected has two or more elements";
  constexpr std::string_view kNone = "ConditionalOperator cannot be used without Filter or Expected";
  EXPECT_TRUE(BindFilter(two, ConditionalOperator::kOr));
  EXPECT_EQ(MessageOf(BindFilter(one, ConditionalOperator::kOr)), kTooFew);
  EXPECT_EQ(MessageOf(BindFilter(none, ConditionalOperator::kAnd)), kNone);
  EXPECT_EQ(MessageOf(BindFilter(std::nullopt, ConditionalOperator::kAnd)), kNone);
  EXPECT_EQ(MessageOf(BindExpected(ExpectedAttributes{{"a", {.value = 1}}}, ConditionalOperator::kOr)), kTooFew);
  EXPECT_EQ(MessageOf(BindExpected(std::nullopt, ConditionalOperator::kOr)), kNone);
}

std::optional<ExpectedAttributes> Expected(std::optional<Value> value, std::optional<bool> exists,
                                           std::optional<Op> op = std::nullopt,
                                           std::optional<std::vector<Value>> values = std::nullopt) {
  return ExpectedAttributes{{"n", {std::move(value), exists, op, std::move(values)}}};
}

TEST(Expected, MeansACondition) {
  const auto holds = [](const std::optional<ExpectedAttributes>& expected, const Item& item) {
    return HoldsFor(BindExpected(expected, std::nullopt), item);
  };
  const Item five{{"n", 5}};
  const Item nothing;
  EXPECT_TRUE(holds(Expected(5, std::nullopt), five));
  EXPECT_TRUE(holds(Expected(5, true), five));
  EXPECT_FALSE(holds(Expected(6, true), five));
  EXPECT_FALSE(holds(Expected(5, true), nothing));
  EXPECT_TRUE(holds(Expected(std::nullopt, false), nothing));
  EXPECT_FALSE(holds(Expected(std::nullopt, false), five));
  EXPECT_TRUE(holds(Expected(4, std::nullopt, Op::kGt), five));
  EXPECT_TRUE(holds(Expected(std::nullopt, std::nullopt, Op::kBetween, {{4, 6}}), five));
  EXPECT_TRUE(holds(Expected(std::nullopt, std::nullopt, Op::kNull), nothing));
  EXPECT_TRUE(holds(Expected(std::nullopt, std::nullopt, Op::kNotNull), five));
}

TEST(Expected, ChecksWhatGoesTogether) {
  const std::string invalid = "One or more parameter values were invalid: ";
  const std::vector<Value> one = {1};
  const struct {
    std::optional<ExpectedAttributes> expected;
    std::string message;
  } cases[] = {
      {Expected(1, std::nullopt, Op::kEq, one),
       invalid + "Value and AttributeValueList cannot be used together for Attribute: n"},
      {Expected(1, true, Op::kEq), invalid + "Exists and ComparisonOperator cannot be used together for Attribute: n"},
      {Expected(std::nullopt, std::nullopt, Op::kEq),
       invalid + "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: n"},
      {Expected(std::nullopt, std::nullopt, Op::kBetween, one),
       invalid + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
      {Expected(1, std::nullopt, Op::kNull), invalid + "Invalid number of argument(s) for the NULL ComparisonOperator"},
      {Expected(Value(true), std::nullopt, Op::kLt),
       invalid + "ComparisonOperator LT is not valid for BOOL AttributeValue type"},
      {Expected(std::nullopt, std::nullopt, std::nullopt, one),
       invalid + "AttributeValueList can only be used with a ComparisonOperator for Attribute: n"},
      {Expected(std::nullopt, std::nullopt), invalid + "Value must be provided when Exists is null for Attribute: n"},
      {Expected(std::nullopt, true), invalid + "Value must be provided when Exists is true for Attribute: n"},
      {Expected(1, false), invalid + "Value cannot be used when Exists is false for Attribute: n"},
  };
  for (const auto& c : cases) EXPECT_EQ(MessageOf(BindExpected(c.expected, std::nullopt)), c.message);
}

TEST(KeyConditions, BecomeAKeyLookup) {
  static constexpr KeyAttribute kPk{"pk", Type::kString};
  static constexpr KeyAttribute kSk{"sk", Type::kNumber};
  const KeySchema schema{.partition = {&kPk, 1}, .sort = {&kSk, 1}};
  const std::optional conditions = AttributeConditions{Where("sk", Op::kBetween, {1, 2}), Where("pk", Op::kEq, {"p"})};
  const Result<std::optional<KeyCondition>> bound = BindKeyConditions(conditions);
  ASSERT_TRUE(bound && *bound);
  const Result<KeyLookup> lookup = (*bound)->Match(schema);
  ASSERT_TRUE(lookup) << MessageOf(lookup);
  EXPECT_EQ(lookup->partition[0], Value("p").view());
  ASSERT_TRUE(lookup->range);
  EXPECT_EQ(lookup->range->op, KeyOperator::kBetween);
  EXPECT_EQ(*lookup->range->second, Value(2).view());

  for (const NamedCondition& refused : AttributeConditions{
           Where("sk", Op::kNull, {}), Where("sk", Op::kNotNull, {}), Where("sk", Op::kNe, {1}),
           Where("sk", Op::kIn, {1}), Where("sk", Op::kContains, {1}), Where("sk", Op::kNotContains, {1})}) {
    const std::optional both = AttributeConditions{(*conditions)[1], refused};
    const Result<std::optional<KeyCondition>> condition = BindKeyConditions(both);
    ASSERT_TRUE(condition && *condition);
    EXPECT_EQ(MessageOf((*condition)->Match(schema)), "Attempted conditional constraint is not an indexable operation");
  }
}

Result<Item> ApplyLegacy(const std::optional<AttributeUpdates>& updates, const Item& item = SomeItem()) {
  const Result<std::optional<Update>> update = BindUpdates(updates);
  if (!update) return std::unexpected(update.error());
  return (*update)->Apply(item.attributes());
}

TEST(AttributeUpdates, PutAddAndDelete) {
  using Action = AttributeAction;
  const Item item{{"n", 5}, {"s", "x"}, {"ss", Value::StringSet({"a", "b"})}, {"l", Value::List({1})}};
  const Result<Item> updated = ApplyLegacy(AttributeUpdates{{"n", {2, Action::kAdd}},
                                                            {"s", {std::nullopt, Action::kDelete}},
                                                            {"ss", {Value::StringSet({"a", "z"}), Action::kDelete}},
                                                            {"l", {Value::List({2, 3}), Action::kAdd}},
                                                            {"fresh", {"put", Action::kPut}},
                                                            {"count", {1, Action::kAdd}},
                                                            {"set", {NumberSet({"1"}), Action::kAdd}},
                                                            {"gone", {std::nullopt, Action::kDelete}},
                                                            {"gone2", {NumberSet({"1"}), Action::kDelete}}},
                                           item);
  ASSERT_TRUE(updated) << MessageOf(updated);
  EXPECT_EQ(*updated, (Item{{"n", 7},
                            {"ss", Value::StringSet({"b"})},
                            {"l", Value::List({1, 2, 3})},
                            {"fresh", "put"},
                            {"count", 1},
                            {"set", NumberSet({"1"})}}));
}

TEST(AttributeUpdates, DeletingAllElementsRemovesTheSet) {
  const Result<Item> updated =
      ApplyLegacy(AttributeUpdates{{"ss", {Value::StringSet({"a", "b"}), AttributeAction::kDelete}}},
                  {{"ss", Value::StringSet({"a", "b"})}, {"n", 1}});
  ASSERT_TRUE(updated);
  EXPECT_EQ(*updated, (Item{{"n", 1}}));
}

TEST(AttributeUpdates, NoneLeaveTheItemAsItIs) { EXPECT_EQ(*ApplyLegacy(AttributeUpdates()), SomeItem()); }

TEST(AttributeUpdates, CheckTheirValues) {
  using Action = AttributeAction;
  const std::string invalid = "One or more parameter values were invalid: ";
  const struct {
    AttributeUpdates::value_type update;
    std::string message;
  } cases[] = {
      {{"n", {std::nullopt, Action::kPut}},
       invalid + "Only DELETE action is allowed when no attribute value is specified"},
      {{"n", {std::nullopt, Action::kAdd}},
       invalid + "Only DELETE action is allowed when no attribute value is specified"},
      {{"n", {1, Action::kDelete}}, invalid + "DELETE action with value is not supported for the type N"},
      {{"l", {Value::List({}), Action::kDelete}}, invalid + "DELETE action with value is not supported for the type L"},
      {{"n", {"s", Action::kAdd}}, invalid + "ADD action is not supported for the type S"},
      {{"n", {Value::Map({}), Action::kAdd}}, invalid + "ADD action is not supported for the type M"},
      {{"s", {1, Action::kAdd}}, "Type mismatch for attribute to update"},
      {{"n", {Value::StringSet({"a"}), Action::kAdd}}, "Type mismatch for attribute to update"},
      {{"ss", {NumberSet({"1"}), Action::kDelete}}, "Type mismatch for attribute to update"},
  };
  for (const auto& c : cases) EXPECT_EQ(MessageOf(ApplyLegacy(AttributeUpdates{c.update})), c.message);
}

}  // namespace
}  // namespace taula::expression
