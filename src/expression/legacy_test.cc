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

bool Holds(const std::vector<AttributeCondition>& conditions, std::optional<ConditionalOperator> op = std::nullopt,
           const Item& item = SomeItem()) {
  const Result<Condition> condition = BindFilter(conditions, op);
  EXPECT_TRUE(condition) << MessageOf(condition);
  return condition && condition->Evaluate(item.attributes());
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
  const std::vector<AttributeCondition> holding = {
      {"n", Op::kEq, {5}},
      {"ss", Op::kEq, {Value::StringSet({"b", "a"})}},
      {"m", Op::kEq, {Value::Map({{"k", 1}})}},
      {"n", Op::kNe, {6}},
      {"n", Op::kNe, {"5"}},
      {"gone", Op::kNe, {6}},
      {"n", Op::kIn, {4, 5}},
      {"n", Op::kLe, {5}},
      {"n", Op::kLt, {6}},
      {"n", Op::kGe, {5}},
      {"n", Op::kGt, {4}},
      {"n", Op::kBetween, {5, 6}},
      {"nil", Op::kNotNull, {}},
      {"gone", Op::kNull, {}},
      {"s", Op::kContains, {"ell"}},
      {"ss", Op::kContains, {"a"}},
      {"ns", Op::kContains, {2}},
      {"l", Op::kContains, {1}},
      {"s", Op::kNotContains, {"z"}},
      {"ss", Op::kNotContains, {"z"}},
      {"n", Op::kNotContains, {5}},
      {"s", Op::kBeginsWith, {"he"}},
  };
  for (const AttributeCondition& c : holding) EXPECT_TRUE(Holds({c})) << c.attribute << " " << NameOf(c.op);
  const std::vector<AttributeCondition> failing = {
      {"n", Op::kEq, {6}},
      {"n", Op::kEq, {"5"}},
      {"gone", Op::kEq, {5}},
      {"n", Op::kNe, {5}},
      {"n", Op::kIn, {4, 6}},
      {"gone", Op::kIn, {4}},
      {"n", Op::kLe, {4}},
      {"n", Op::kLt, {5}},
      {"n", Op::kGe, {6}},
      {"n", Op::kGt, {5}},
      {"s", Op::kGt, {1}},
      {"n", Op::kBetween, {6, 7}},
      {"gone", Op::kNotNull, {}},
      {"nil", Op::kNull, {}},
      {"s", Op::kContains, {"z"}},
      {"gone", Op::kContains, {1}},
      {"s", Op::kNotContains, {"ell"}},
      {"gone", Op::kNotContains, {"z"}},
      {"n", Op::kBeginsWith, {"he"}},
      {"s", Op::kBeginsWith, {"lo"}},
  };
  for (const AttributeCondition& c : failing) EXPECT_FALSE(Holds({c})) << c.attribute << " " << NameOf(c.op);
}

TEST(LegacyFilter, CombinesWithAndUnlessToldOtherwise) {
  const AttributeCondition yes{"n", Op::kEq, {5}};
  const AttributeCondition no{"s", Op::kEq, {"z"}};
  EXPECT_FALSE(Holds({yes, no}));
  EXPECT_FALSE(Holds({yes, no}, ConditionalOperator::kAnd));
  EXPECT_TRUE(Holds({no, yes}, ConditionalOperator::kOr));
  EXPECT_FALSE(Holds({no, no}, ConditionalOperator::kOr));
}

TEST(LegacyFilter, NamesAttributesWhole) {
  const std::vector<AttributeCondition> conditions = {{"a.b", Op::kEq, {1}}};
  const Result<Condition> condition = BindFilter(conditions, std::nullopt);
  ASSERT_TRUE(condition);
  EXPECT_TRUE(condition->Names("a.b"));
  EXPECT_FALSE(condition->Names("a"));
  EXPECT_TRUE(condition->Evaluate(Item{{"a.b", 1}}.attributes()));
  EXPECT_FALSE(condition->Evaluate(Item{{"a", Value::Map({{"b", 1}})}}.attributes()));
}

TEST(LegacyFilter, ChecksItsValues) {
  const std::string invalid = "One or more parameter values were invalid: ";
  const struct {
    AttributeCondition condition;
    std::string message;
  } cases[] = {
      {{"a", Op::kEq, {}}, invalid + "Invalid number of argument(s) for the EQ ComparisonOperator"},
      {{"a", Op::kEq, {1, 2}}, invalid + "Invalid number of argument(s) for the EQ ComparisonOperator"},
      {{"a", Op::kNull, {1}}, invalid + "Invalid number of argument(s) for the NULL ComparisonOperator"},
      {{"a", Op::kNotNull, {1}}, invalid + "Invalid number of argument(s) for the NOT_NULL ComparisonOperator"},
      {{"a", Op::kIn, {}}, invalid + "Invalid number of argument(s) for the IN ComparisonOperator"},
      {{"a", Op::kBetween, {1}}, invalid + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
      {{"a", Op::kBetween, {1, 2, 3}}, invalid + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
      {{"a", Op::kIn, {1, "b"}}, invalid + "AttributeValues inside AttributeValueList must be of same type"},
      {{"a", Op::kBetween, {1, "b"}}, invalid + "AttributeValues inside AttributeValueList must be of same type"},
      {{"a", Op::kLt, {Value(true)}}, invalid + "ComparisonOperator LT is not valid for BOOL AttributeValue type"},
      {{"a", Op::kIn, {Value::StringSet({"a"})}},
       invalid + "ComparisonOperator IN is not valid for SS AttributeValue type"},
      {{"a", Op::kContains, {Value::List({})}},
       invalid + "ComparisonOperator CONTAINS is not valid for L AttributeValue type"},
      {{"a", Op::kBeginsWith, {1}}, invalid + "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
      {{"a", Op::kBetween, {2, 1}},
       "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(MessageOf(BindFilter(std::span(&c.condition, 1), std::nullopt)), c.message);
    EXPECT_EQ(MessageOf(BindKeyConditions(std::span(&c.condition, 1))), c.message);
  }
}

TEST(ConditionalOperators, NeedTwoConditions) {
  EXPECT_TRUE(CheckConditionalOperator(std::nullopt, 0));
  EXPECT_TRUE(CheckConditionalOperator(ConditionalOperator::kOr, 2));
  EXPECT_EQ(MessageOf(CheckConditionalOperator(ConditionalOperator::kOr, 1)),
            "ConditionalOperator can only be used when Filter or Expected has two or more elements");
  EXPECT_EQ(MessageOf(CheckConditionalOperator(ConditionalOperator::kAnd, 0)),
            "ConditionalOperator cannot be used without Filter or Expected");
}

ExpectedAttribute Expected(std::optional<Value> value, std::optional<bool> exists, std::optional<Op> op = std::nullopt,
                           std::optional<std::vector<Value>> values = std::nullopt) {
  return {"n", std::move(value), exists, op, std::move(values)};
}

TEST(Expected, MeansACondition) {
  const auto holds = [](const ExpectedAttribute& expected, const Item& item) {
    const Result<Condition> condition = BindExpected(std::span(&expected, 1), std::nullopt);
    EXPECT_TRUE(condition) << MessageOf(condition);
    return condition && condition->Evaluate(item.attributes());
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
    ExpectedAttribute expected;
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
  for (const auto& c : cases) EXPECT_EQ(MessageOf(BindExpected(std::span(&c.expected, 1), std::nullopt)), c.message);
}

TEST(KeyConditions, BecomeAKeyLookup) {
  static constexpr KeyAttribute kPk{"pk", Type::kString};
  static constexpr KeyAttribute kSk{"sk", Type::kNumber};
  const KeySchema schema{.partition = {&kPk, 1}, .sort = {&kSk, 1}};
  const std::vector<AttributeCondition> conditions = {{"sk", Op::kBetween, {1, 2}}, {"pk", Op::kEq, {"p"}}};
  const Result<KeyCondition> bound = BindKeyConditions(conditions);
  ASSERT_TRUE(bound);
  const Result<KeyLookup> lookup = bound->Match(schema);
  ASSERT_TRUE(lookup) << MessageOf(lookup);
  EXPECT_EQ(lookup->partition[0], Value("p").view());
  ASSERT_TRUE(lookup->range);
  EXPECT_EQ(lookup->range->op, KeyOperator::kBetween);
  EXPECT_EQ(*lookup->range->second, Value(2).view());

  for (const AttributeCondition& refused : std::vector<AttributeCondition>{{"sk", Op::kNull, {}},
                                                                           {"sk", Op::kNotNull, {}},
                                                                           {"sk", Op::kNe, {1}},
                                                                           {"sk", Op::kIn, {1}},
                                                                           {"sk", Op::kContains, {1}},
                                                                           {"sk", Op::kNotContains, {1}}}) {
    const std::vector<AttributeCondition> both = {conditions[1], refused};
    const Result<KeyCondition> condition = BindKeyConditions(both);
    ASSERT_TRUE(condition);
    EXPECT_EQ(MessageOf(condition->Match(schema)), "Attempted conditional constraint is not an indexable operation");
  }
}

Result<Item> ApplyLegacy(const std::vector<AttributeUpdate>& updates, const Item& item = SomeItem()) {
  const Result<Update> update = BindUpdates(updates);
  if (!update) return std::unexpected(update.error());
  return update->Apply(item.attributes());
}

TEST(AttributeUpdates, PutAddAndDelete) {
  using Action = AttributeUpdate::Action;
  const Item item{{"n", 5}, {"s", "x"}, {"ss", Value::StringSet({"a", "b"})}, {"l", Value::List({1})}};
  const Result<Item> updated = ApplyLegacy({{"n", 2, Action::kAdd},
                                            {"s", std::nullopt, Action::kDelete},
                                            {"ss", Value::StringSet({"a", "z"}), Action::kDelete},
                                            {"l", Value::List({2, 3}), Action::kAdd},
                                            {"fresh", "put", Action::kPut},
                                            {"count", 1, Action::kAdd},
                                            {"set", NumberSet({"1"}), Action::kAdd},
                                            {"gone", std::nullopt, Action::kDelete},
                                            {"gone2", NumberSet({"1"}), Action::kDelete}},
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
  const Result<Item> updated = ApplyLegacy({{"ss", Value::StringSet({"a", "b"}), AttributeUpdate::Action::kDelete}},
                                           {{"ss", Value::StringSet({"a", "b"})}, {"n", 1}});
  ASSERT_TRUE(updated);
  EXPECT_EQ(*updated, (Item{{"n", 1}}));
}

TEST(AttributeUpdates, NoneLeaveTheItemAsItIs) { EXPECT_EQ(*ApplyLegacy({}), SomeItem()); }

TEST(AttributeUpdates, CheckTheirValues) {
  using Action = AttributeUpdate::Action;
  const std::string invalid = "One or more parameter values were invalid: ";
  const struct {
    AttributeUpdate update;
    std::string message;
  } cases[] = {
      {{"n", std::nullopt, Action::kPut},
       invalid + "Only DELETE action is allowed when no attribute value is specified"},
      {{"n", std::nullopt, Action::kAdd},
       invalid + "Only DELETE action is allowed when no attribute value is specified"},
      {{"n", 1, Action::kDelete}, invalid + "DELETE action with value is not supported for the type N"},
      {{"l", Value::List({}), Action::kDelete}, invalid + "DELETE action with value is not supported for the type L"},
      {{"n", "s", Action::kAdd}, invalid + "ADD action is not supported for the type S"},
      {{"n", Value::Map({}), Action::kAdd}, invalid + "ADD action is not supported for the type M"},
      {{"s", 1, Action::kAdd}, "Type mismatch for attribute to update"},
      {{"n", Value::StringSet({"a"}), Action::kAdd}, "Type mismatch for attribute to update"},
      {{"ss", NumberSet({"1"}), Action::kDelete}, "Type mismatch for attribute to update"},
  };
  for (const auto& c : cases) EXPECT_EQ(MessageOf(ApplyLegacy({c.update})), c.message);
}

}  // namespace
}  // namespace taula::expression
