#include "expression/key_condition.h"

#include "expression/testing.h"

namespace taula::expression {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr KeyAttribute kPk{"pk", Type::kString};
constexpr KeyAttribute kSk{"sk", Type::kString};
constexpr KeyAttribute kNumberSk{"sk", Type::kNumber};
constexpr KeyAttribute kMany[] = {{"h1", Type::kString}, {"h2", Type::kNumber}};
constexpr KeyAttribute kManySort[] = {{"a", Type::kString}, {"b", Type::kNumber}, {"c", Type::kString}};

const KeySchema kHash{.partition = {&kPk, 1}, .sort = {}};
const KeySchema kComposite{.partition = {&kPk, 1}, .sort = {&kSk, 1}};
const KeySchema kNumeric{.partition = {&kPk, 1}, .sort = {&kNumberSk, 1}};
const KeySchema kMultiple{.partition = kMany, .sort = kManySort};

const Placeholders& Some() {
  static const Placeholders placeholders{.names = {{"#pk", "pk"}, {"#sk", "sk"}},
                                         .values = {{":s", "text"},
                                                    {":t", "u"},
                                                    {":n", 1},
                                                    {":m", 2},
                                                    {":bool", Value(true)},
                                                    {":empty", ""},
                                                    {":b", Value::Binary("b")},
                                                    {":long", std::string(1025, 'x')},
                                                    {":longer", std::string(2049, 'x')},
                                                    {":ss", Value::StringSet({"a"})}}};
  return placeholders;
}

Result<KeyLookup> Match(std::string_view text, const KeySchema& schema) {
  const Result<KeyCondition> condition = BindKeyCondition(text, Some());
  if (!condition) return std::unexpected(condition.error());
  return condition->Match(schema);
}

TEST(KeyCondition, TakesTheHashAlone) {
  for (const std::string_view text : {"pk = :s", ":s = pk", "(pk = :s)", "#pk = (:s)"}) {
    const Result<KeyLookup> lookup = Match(text, kComposite);
    ASSERT_TRUE(lookup) << text << MessageOf(lookup);
    EXPECT_THAT(lookup->partition, ElementsAre(Value("text").view()));
    EXPECT_THAT(lookup->sort_equal, IsEmpty());
    EXPECT_FALSE(lookup->range);
  }
}

TEST(KeyCondition, TakesEqualityOnTheSortKey) {
  for (const std::string_view text :
       {"pk = :s AND sk = :t", "sk = :t AND pk = :s", "(#pk = :s) AND (#sk = :t)", "(#pk = :s AND (#sk = :t))"}) {
    const Result<KeyLookup> lookup = Match(text, kComposite);
    ASSERT_TRUE(lookup) << text << MessageOf(lookup);
    EXPECT_THAT(lookup->partition, ElementsAre(Value("text").view()));
    EXPECT_THAT(lookup->sort_equal, ElementsAre(Value("u").view()));
    EXPECT_FALSE(lookup->range);
  }
}

TEST(KeyCondition, TakesRangesOnTheSortKey) {
  const std::pair<std::string, KeyOperator> cases[] = {
      {"sk < :n", KeyOperator::kLess},
      {"sk <= :n", KeyOperator::kLessOrEqual},
      {"sk > :n", KeyOperator::kGreater},
      {"sk >= :n", KeyOperator::kGreaterOrEqual},
      {":n < sk", KeyOperator::kGreater},
      {":n <= sk", KeyOperator::kGreaterOrEqual},
      {":n > sk", KeyOperator::kLess},
      {":n >= sk", KeyOperator::kLessOrEqual},
      {"sk BETWEEN :n AND :m", KeyOperator::kBetween},
  };
  for (const auto& [text, op] : cases) {
    const Result<KeyLookup> lookup = Match("pk = :s AND " + text, kNumeric);
    ASSERT_TRUE(lookup) << text << MessageOf(lookup);
    ASSERT_TRUE(lookup->range) << text;
    EXPECT_EQ(lookup->range->op, op) << text;
    EXPECT_EQ(lookup->range->first, Value(1).view()) << text;
    EXPECT_EQ(lookup->range->second.has_value(), op == KeyOperator::kBetween) << text;
  }
  const Result<KeyLookup> prefix = Match("begins_with(sk, :t) AND pk = :s", kComposite);
  ASSERT_TRUE(prefix && prefix->range);
  EXPECT_EQ(prefix->range->op, KeyOperator::kBeginsWith);
}

struct MessageCase {
  std::string text;
  std::string message;
};

TEST(KeyCondition, RefusesWhatNoKeyConditionCanBe) {
  const std::string condition = "Invalid condition in KeyConditionExpression: ";
  const std::string op = "Invalid operator used in KeyConditionExpression: ";
  const MessageCase cases[] = {
      {"a > b and size(b) > c or a > c", op + "OR"},
      {"a in (b, size(c), d)", op + "IN"},
      {"attribute_exists(a)", op + "attribute_exists"},
      {"attribute_not_exists(a)", op + "attribute_not_exists"},
      {"contains(a.d, b)", op + "contains"},
      {"not a > b", op + "NOT"},
      {"a <> b", op + "<>"},
      {"pk = :s AND (sk = :s OR sk = :t)", op + "OR"},
      {":s between size(b) and size(a) and b > :s",
       condition + "BETWEEN operator must have the key attribute as its first operand"},
      {":n between b and c and b > :s",
       condition + "BETWEEN operator must have the key attribute as its first operand"},
      {"begins_with(:s, b) and a > :s",
       condition + "begins_with operator must have the key attribute as its first operand"},
      {"size(b) > a AND a.b > b AND b > c", "KeyConditionExpressions cannot contain nested operations"},
      {"a > size(b.d)", "KeyConditionExpressions cannot contain nested operations"},
      {"a between size(b) and size(a)", "KeyConditionExpressions cannot contain nested operations"},
      {"b > a.b", condition + "Multiple attribute names used in one condition"},
      {"b between c[1] and d", condition + "Multiple attribute names used in one condition"},
      {"begins_with(a, b)", condition + "Multiple attribute names used in one condition"},
      {"b.d > a AND c.d > e.f", "KeyConditionExpressions cannot have conditions on nested attributes"},
      {"b[0] > :n", "KeyConditionExpressions cannot have conditions on nested attributes"},
      {":n > :m AND a < :n", condition + "No key attribute specified"},
      {":n > b AND :n < :m", condition + "No key attribute specified"},
      {"b > :n AND b < :n and c = :n and d = :n", "KeyConditionExpressions must only contain one condition per key"},
      {"(a > :n and b > :n) and (b > :n and c > :n)",
       "KeyConditionExpressions must only contain one condition per key"},
      {"pk = :undefined",
       "An expression attribute value used in expression is not defined; attribute value: :undefined"},
      {"pk = :s AND #u = :s",
       "An expression attribute name used in the document path is not defined; attribute name: #u"},
      {"pk = :s AND begins_with(sk, :n)",
       "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
      {"pk = :s AND sk < :bool",
       "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
      {"pk = :s AND :bool >= sk",
       "Incorrect operand type for operator or function; operator or function: >=, operand type: BOOL"},
      {"pk = :s AND sk BETWEEN :ss AND :t",
       "Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: SS"},
      {"a between :n and :s",
       "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: "
       "{N:1}, upper bound operand: AttributeValue: {S:text}"},
      {"a between :m and :n",
       "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: "
       "AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
      {"((pk = :s))", "The expression has redundant parentheses;"},
  };
  for (const MessageCase& c : cases) {
    EXPECT_EQ(MessageOf(BindKeyCondition(c.text, Some())), "Invalid KeyConditionExpression: " + c.message) << c.text;
  }
}

TEST(KeyCondition, TakesAnyConditionsOnTheKeyAsRanges) {
  const auto match = [](std::string_view text, const KeySchema& schema) -> Result<KeyRanges> {
    const Result<KeyCondition> condition = BindKeyCondition(text, Some(), ConditionsPerKey::kAny);
    if (!condition) return std::unexpected(condition.error());
    return condition->MatchRanges(schema);
  };
  const Result<KeyRanges> ranges = match("begins_with(pk, :s) AND sk > :t AND :s >= sk", kComposite);
  ASSERT_TRUE(ranges) << MessageOf(ranges);
  ASSERT_EQ(ranges->partition.at(0).size(), 1U);
  EXPECT_EQ(ranges->partition[0][0].op, KeyOperator::kBeginsWith);
  ASSERT_EQ(ranges->sort.at(0).size(), 2U);
  EXPECT_EQ(ranges->sort[0][0].op, KeyOperator::kGreater);
  EXPECT_EQ(ranges->sort[0][1].op, KeyOperator::kLessOrEqual);
  EXPECT_EQ(ranges->sort[0][1].first, Value("text").view());

  const MessageCase refused[] = {
      {"pk > :s AND extra = :s", "Query key condition not supported"},
      {"extra = :s", "Query condition missed key schema element: pk"},
      {"sk > :n", "One or more parameter values were invalid: Condition parameter type does not match schema type"},
      {"pk > :s AND pk < :n",
       "One or more parameter values were invalid: Condition parameter type does not match schema type"},
      {"sk > :s AND sk < :long",
       "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of "
       "1024 bytes"},
  };
  for (const MessageCase& c : refused) EXPECT_EQ(MessageOf(match(c.text, kComposite)), c.message) << c.text;
}

TEST(KeyCondition, RefusesWhatTheSchemaDoesNotAllow) {
  const std::string mismatch =
      "One or more parameter values were invalid: Condition parameter type does not match schema type";
  const std::string empty =
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
      "string "
      "value. Key: ";
  const struct {
    const KeySchema& schema;
    std::string text;
    std::string message;
  } cases[] = {
      {kComposite, "sk = :s", "Query condition missed key schema element: pk"},
      {kComposite, "attr1 = :s", "Query condition missed key schema element: pk"},
      {kComposite, "pk = :s AND attr1 = :s", "Query condition missed key schema element: sk"},
      {kComposite, "pk = :s AND sk = :s AND attr1 = :s",
       "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)"},
      {kHash, "pk = :s AND sk = :s",
       "The number of query conditions (2) exceeds the number of key attributes defined in the schema (1)"},
      {kComposite, "pk > :s", "Query key condition not supported"},
      {kComposite, "begins_with(pk, :s) AND sk = :s", "Query key condition not supported"},
      {kComposite, "pk = :n", mismatch},
      {kComposite, "pk = :bool", mismatch},
      {kComposite, "pk = :s AND sk = :n", mismatch},
      {kComposite, "pk = :s AND sk > :b", mismatch},
      {kNumeric, "pk = :s AND begins_with(sk, :s)", mismatch},
      {kComposite, "pk = :empty", empty + "pk"},
      {kComposite, "pk = :s AND sk = :empty", empty + "sk"},
      {kHash, "pk = :longer",
       "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"},
      {kComposite, "pk = :s AND sk = :long",
       "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of "
       "1024 bytes"},
      {kComposite, "pk = :s AND sk > :long",
       "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of "
       "1024 bytes"},
  };
  for (const auto& c : cases) EXPECT_EQ(MessageOf(Match(c.text, c.schema)), c.message) << c.text;
}

TEST(KeyCondition, TakesKeysOfManyAttributes) {
  const Result<KeyLookup> hash = Match("h2 = :n AND h1 = :s", kMultiple);
  ASSERT_TRUE(hash) << MessageOf(hash);
  EXPECT_THAT(hash->partition, ElementsAre(Value("text").view(), Value(1).view()));

  const Result<KeyLookup> range = Match("b < :m AND h1 = :s AND a = :t AND h2 = :n", kMultiple);
  ASSERT_TRUE(range) << MessageOf(range);
  EXPECT_THAT(range->sort_equal, ElementsAre(Value("u").view()));
  ASSERT_TRUE(range->range);
  EXPECT_EQ(range->range->first, Value(2).view());

  const Result<KeyLookup> all = Match("h1 = :s AND h2 = :n AND a = :t AND b = :n AND c = :t", kMultiple);
  ASSERT_TRUE(all) << MessageOf(all);
  EXPECT_EQ(all->sort_equal.size(), 3u);
  EXPECT_FALSE(all->range);
}

TEST(KeyCondition, UsesManySortAttributesFromTheLeft) {
  const auto message = [](std::string_view missing, std::string_view present) {
    return "RANGE key attributes " + std::string(missing) +
           " must have equality conditions specified in the query because a condition is present on key attribute " +
           std::string(present);
  };
  const MessageCase cases[] = {
      {"h1 = :s AND h2 = :n AND b = :n", message("a", "b")},
      {"h1 = :s AND h2 = :n AND c = :s", message("a, b", "c")},
      {"h1 = :s AND h2 = :n AND a = :s AND c = :s", message("b", "c")},
      {"h1 = :s AND h2 = :n AND a > :s AND b = :n", message("a", "b")},
      {"h1 = :s AND h2 = :n AND a = :s AND b > :n AND c > :s", message("b", "c")},
      {"h1 = :s", "Query condition missed key schema element: h2"},
      {"h1 = :s AND a = :s", "Query condition missed key schema element: h2"},
      {"h1 = :s AND h2 > :n", "Query key condition not supported"},
  };
  for (const MessageCase& c : cases) EXPECT_EQ(MessageOf(Match(c.text, kMultiple)), c.message) << c.text;
}

TEST(KeyCondition, MatchesSortKeys) {
  const auto matches = [](std::string_view text, const Value& sort) {
    const Result<KeyLookup> lookup = Match("pk = :s AND " + std::string(text), kNumeric);
    EXPECT_TRUE(lookup) << MessageOf(lookup);
    return lookup && lookup->MatchesSort(std::array{sort.view()});
  };
  EXPECT_TRUE(matches("sk = :n", 1));
  EXPECT_FALSE(matches("sk = :n", 2));
  EXPECT_TRUE(matches("sk < :n", 0));
  EXPECT_FALSE(matches("sk < :n", 1));
  EXPECT_TRUE(matches("sk <= :n", 1));
  EXPECT_TRUE(matches("sk > :n", 10));
  EXPECT_FALSE(matches("sk > :n", 1));
  EXPECT_TRUE(matches("sk >= :n", 1));
  EXPECT_TRUE(matches("sk BETWEEN :n AND :m", 2));
  EXPECT_FALSE(matches("sk BETWEEN :n AND :m", N("2.1")));
  const Result<KeyLookup> all = Match("pk = :s", kNumeric);
  EXPECT_TRUE(all->MatchesSort(std::array{Value(5).view()}));
}

}  // namespace
}  // namespace taula::expression
