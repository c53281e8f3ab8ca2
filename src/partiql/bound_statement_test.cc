#include "partiql/bound_statement.h"

#include <gmock/gmock.h>

#include "partiql/parser.h"

namespace taula::partiql {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Result<BoundStatementPtr> Bind(std::string_view text, std::vector<Value> parameters = {}) {
  Result<StatementPtr> parsed = Parse(text);
  if (!parsed) return std::unexpected(parsed.error());
  return BoundStatement::Bind(*parsed, std::move(parameters));
}

std::string Problem(std::string_view text, std::vector<Value> parameters = {}) {
  const Result<BoundStatementPtr> bound = Bind(text, std::move(parameters));
  if (!bound) return bound.error().message;
  const auto columns = (*bound)->BindColumns();
  return columns ? "" : columns.error().message;
}

// Whether an item fulfils a condition.
bool Holds(const std::string& condition, const Item& item, std::vector<Value> parameters = {}) {
  const Result<BoundStatementPtr> bound = Bind("SELECT * FROM t WHERE " + condition, std::move(parameters));
  EXPECT_TRUE(bound) << condition << ": " << bound.error().message;
  return bound && (*bound)->where()->Evaluate(item.attributes());
}

Item Updated(const std::string& changes, const Item& item) {
  const Result<BoundStatementPtr> bound = Bind("UPDATE t " + changes + " WHERE pk = 'x'");
  EXPECT_TRUE(bound) << changes << ": " << bound.error().message;
  if (!bound) return {};
  const Result<Item> updated = (*bound)->update()->Apply(item.attributes());
  EXPECT_TRUE(updated) << changes << ": " << updated.error().message;
  return updated ? *updated : Item();
}

const Item kItem = {{"s", "str"},
                    {"n", 5},
                    {"yes", Value::Bool(true)},
                    {"nul", Value::Null()},
                    {"ss", Value::StringSet({"a", "b"})},
                    {"l", Value::List({1, 2})},
                    {"m", Value::Map({{"k", Value::List({"c"})}})}};

TEST(Where, HoldsWhatExpressionsHold) {
  for (const char* condition : {"s = 'str'",
                                "n > 4 AND n <= 5",
                                "n BETWEEN 5 AND 6",
                                "n IN [4, 5]",
                                "n IN (4, 5)",
                                "s <> 'x'",
                                "s != 'x'",
                                "NOT s = 'x'",
                                "5 = n",
                                "4 < n",
                                "begins_with(s, 'st')",
                                "contains(ss, 'a')",
                                "size(s) = 3",
                                "size(ss) > 1",
                                "attribute_type(ss, 'SS')",
                                "ATTRIBUTE_EXISTS(m.k[0])",
                                "attribute_not_exists(nope)",
                                "m.k[0] = 'c'",
                                "\"m\".\"k\"[0] = 'c'",
                                "ss = <<'b', 'a'>>",
                                "l = [1, 2]",
                                "m = {'k': ['c']}",
                                "nul = NULL",
                                "yes = true",
                                "n = 5.0",
                                "n = 50e-1",
                                "s > 'a' OR nope = 1"}) {
    EXPECT_TRUE(Holds(condition, kItem)) << condition;
  }
  for (const char* condition : {"s = 'x'", "n < 5", "nope = 1", "NOT n = 5", "n = '5'", "l = [2, 1]", "nope IN [1]"}) {
    EXPECT_FALSE(Holds(condition, kItem)) << condition;
  }
}

TEST(Where, AsksForTypesWithIs) {
  for (const char* condition :
       {"nope IS MISSING", "s IS NOT MISSING", "nul IS NULL", "s IS NOT NULL", "nope IS NOT NULL", "yes IS BOOL",
        "yes IS BOOLEAN", "s IS STRING", "n IS NUMERIC", "m IS STRUCT", "m IS TUPLE", "l IS LIST"}) {
    EXPECT_TRUE(Holds(condition, kItem)) << condition;
  }
  for (const char* condition : {"s IS MISSING", "nope IS NULL", "s IS NULL", "nul IS NOT NULL", "s IS BOOL"}) {
    EXPECT_FALSE(Holds(condition, kItem)) << condition;
  }
  EXPECT_EQ(Problem("SELECT * FROM t WHERE a IS INT"),
            "Unsupported data type for IS operator: INT. Supported data types are [MISSING, NULL, BOOLEAN, BLOB, "
            "STRING, NUMERIC, STRUCT, TUPLE, LIST]");
}

TEST(Where, ComparesTheTruthOfConditions) {
  for (const char* condition : {"attribute_exists(nope) = false", "true = attribute_exists(n)",
                                "attribute_exists(n) <> 1", "contains(nope, 'z') = false", "(n BETWEEN 0 AND 5) = true",
                                "(n = 4 OR s = 'x') = false", "attribute_exists(nope) IN [true, false]",
                                "attribute_exists(n) = attribute_exists(s)", "attribute_exists(n) = yes"}) {
    EXPECT_TRUE(Holds(condition, kItem)) << condition;
  }
  for (const char* condition : {"attribute_exists(n) = 1", "NOT attribute_exists(n) = true",
                                "(attribute_exists(n) = true) = false", "attribute_exists(n) = s"}) {
    EXPECT_FALSE(Holds(condition, kItem)) << condition;
  }
  EXPECT_EQ(Problem("SELECT * FROM t WHERE attribute_exists(n) > false"),
            "Incorrect operand type for operator or function; operator or function: >, operand type: BOOL");
  std::string deep = "attribute_exists(n)";
  for (int i = 0; i < 40; ++i) deep = "(" + deep + " = attribute_exists(n))";
  EXPECT_NE(Problem("SELECT * FROM t WHERE " + deep), "");
}

TEST(Where, FillsInParametersInTheirOrder) {
  EXPECT_TRUE(Holds("s = ? AND n IN [?, ?]", kItem, {"str", 1, 5}));
  const std::string_view kMismatch = "Number of parameters in request and statement don't match.";
  EXPECT_EQ(Problem("SELECT * FROM t WHERE s = ?"), kMismatch);
  EXPECT_EQ(Problem("SELECT * FROM t WHERE s = 'x'", {1}), kMismatch);
}

TEST(Where, SaysWhatItCannotEvaluate) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"attribute_exists('ss')",
       "Operator or function requires a document path; operator or function: attribute_exists"},
      {"attribute_exists()",
       "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of "
       "operands: 0"},
      {"a < true", "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
      {"EXISTS(ss)", "Unrecognized function: exists at 1:23:6"},
      {"set_add(ss, <<'x'>>) = ss", "Unrecognized function: set_add at 1:23:7"},
      {"lower(a) = 'x'", "Unrecognized function: lower at 1:23:5"},
      {"a LIKE 'x'", "Unsupported operator in Condition Expression. Operator: LIKE"},
      {"a + 1 = 2", "Unsupported operator in Condition Expression. Operator: +"},
      {"a[-1] = 2", "List index is not within the allowable range; index: [-1] at 1:26:1"},
      {"a = <<>>", "Empty bags are not supported"},
      {"a = 1e126",
       "Number overflow. Attempting to store a number with magnitude larger than supported range under root"},
  };
  for (const auto& [condition, problem] : kCases) {
    EXPECT_EQ(Problem("SELECT * FROM t WHERE " + std::string(condition)), problem) << condition;
  }
}

TEST(Changes, DoWhatUpdatesDo) {
  const Item item = {{"n", 1}, {"l", Value::List({1})}, {"ss", Value::StringSet({"a"})}, {"m", Value::Map({{"x", 1}})}};
  EXPECT_EQ(Updated("SET n = n + 100", item).Find("n")->number_text(), "101");
  EXPECT_EQ(Updated("SET n=n-1", item).Find("n")->number_text(), "0");
  EXPECT_EQ(Updated("SET l = list_append(l, [2])", item).Find("l")->list().size(), 2);
  EXPECT_EQ(Updated("SET ss = SET_ADD(ss, <<'b'>>)", item).Find("ss")->set().size(), 2);
  EXPECT_EQ(Updated("SET fresh = set_add(fresh, <<1>>)", item).Find("fresh")->set().size(), 1);
  EXPECT_FALSE(Updated("SET ss = set_delete(ss, <<'a'>>)", item).Find("ss"));
  EXPECT_EQ(Updated("SET m.y = {'a': [1, <<2>>]} REMOVE m.x", item).Find("m")->map().size(), 1);
  EXPECT_EQ(Updated("SET a = 1, b = 'x' REMOVE n", item).attributes().size(), 5);
}

TEST(Changes, SayWhatIsWrongAndWhere) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"t = set_add(ss, <<'x'>>)", "The first argument to SET_ADD must equal the assignment value at 1:18:7"},
      {"ss = set_add(<<'a'>>, <<'b'>>)", "The first argument to SET_ADD must equal the assignment value at 1:19:7"},
      {"ss = set_add(ss, 'x')", "The second argument to SET_ADD must be a value with type SET at 1:27:2"},
      {"ss = set_delete(ss, ['x'])", "The second argument to SET_DELETE must be a value with type SET at 1:30:2"},
      {"ss = set_add(ss)", "SET_ADD must have exactly two arguments at 1:19:7"},
      {"ss = set_add(ss, <<'x', 'x'>>)",
       "One or more parameter values were invalid: Input collection [x, x] contains duplicates."},
      {"ss = set_add(ss, <<2, 2.0>>)",
       "One or more parameter values were invalid: Input collection [2, 2.0] contains duplicates! under root"},
      {"ss = set_add(ss, <<>>)", "Empty bags are not supported"},
      {"n = 'a' + 1", "Incorrect operand type for operator or function; operator or function: +, operand type: S"},
      {"n = n * 2", "Unsupported operator in Update Expression. Operator: *"},
      {"n = [?]", "Unsupported data type: Parameter under key root[0] at 1:19:1"},
  };
  for (const auto& [changes, problem] : kCases) {
    const std::string text = "UPDATE t SET " + std::string(changes) + " WHERE pk = 'x'";
    EXPECT_EQ(Problem(text, text.find('?') == std::string::npos ? std::vector<Value>() : std::vector<Value>{1}),
              problem)
        << changes;
  }
}

TEST(Insert, ReadsEveryKindOfValue) {
  const auto bound = Bind(
      "INSERT INTO t VALUE {'a':1E3, 'b':-1.5e-3, 'c':2.50, 'd':-0, 'q':'it''s', 'n':null, "
      "'m':{'k':[true, <<1, 2>>]}, 'p':?}",
      {"given"});
  ASSERT_TRUE(bound) << bound.error().message;
  const Item& item = (*bound)->item();
  EXPECT_EQ(item.Find("a")->number_text(), "1000");
  EXPECT_EQ(item.Find("b")->number_text(), "-0.0015");
  EXPECT_EQ(item.Find("c")->number_text(), "2.5");
  EXPECT_EQ(item.Find("d")->number_text(), "0");
  EXPECT_EQ(item.Find("q")->bytes(), "it's");
  EXPECT_EQ(item.Find("n")->type(), Type::kNull);
  EXPECT_EQ(item.Find("p")->bytes(), "given");
  EXPECT_EQ(item.Find("m")->Find("k")->list().size(), 2);
}

TEST(Insert, SaysWhatIsNoValueAndWhere) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"{'m': {'x': 1e126}}",
       "Number overflow. Attempting to store a number with magnitude larger than supported range under root.x"},
      {"{'l': [1, 1e-131]}",
       "Number underflow. Attempting to store a number with magnitude smaller than supported range under root[1]"},
      {"{'s': set_add(<<'a'>>, <<'b'>>)}", "Unsupported data type: set_add under key root at 1:27:7"},
      {"{'s': <<1, 'a'>>}", "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"},
      {"{'s': 1, 's': 2}", "Duplicate keys in tuple. Key: s under root"},
  };
  for (const auto& [value, problem] : kCases) {
    EXPECT_EQ(Problem("INSERT INTO t VALUE " + std::string(value)), problem) << value;
  }
  std::string deep = "1";
  for (int i = 0; i < 32; ++i) deep = "{'a':" + deep + "}";
  std::string path = "root";
  for (int i = 0; i < 32; ++i) path += ".a";
  EXPECT_EQ(Problem("UPDATE t SET d = " + deep + " WHERE pk = 'x'"),
            "Nesting Levels have exceeded supported limits under " + path);
}

TEST(Columns, AreNamedByTheirLastStep) {
  const auto bound = Bind("SELECT s, m.k[0], l[-0], nope FROM t");
  ASSERT_TRUE(bound);
  const auto columns = (*bound)->BindColumns();
  ASSERT_TRUE(columns && *columns);
  std::string bytes;
  (*columns)->AppendTo(bytes, kItem.attributes());
  EXPECT_EQ(Item::FromEncoded(bytes), (Item{{"s", "str"}, {"k[0]", "c"}, {"l[0]", 1}}));
  EXPECT_THAT((*columns)->top_level_names(), ElementsAre("s", "m", "l", "nope"));
}

TEST(Statement, NamesTableAndIndex) {
  const auto bound = Bind("SELECT * FROM \"a.b\".idx WHERE x = 1");
  ASSERT_TRUE(bound);
  EXPECT_EQ((*bound)->table(), "a.b");
  EXPECT_EQ((*bound)->index(), "idx");
}

TEST(Statement, RefusesWhatDynamoDbDoesNotHave) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"SELECT * FROM t x WHERE a = 1", "Aliasing is not supported"},
      {"SELECT * FROM t AS x", "Aliasing is not supported"},
      {"SELECT a AS b FROM t", "Aliasing is not supported"},
      {"DELETE FROM t x WHERE a = 1", "Aliasing is not supported"},
      {"SELECT a, a FROM t", "Duplicate identifiers in select clause: a"},
      {"SELECT COUNT(*) FROM t", "Unexpected path component at 1:8:5"},
      {"SELECT *, a FROM t", "Other attributes should not be present in the projection when '*' is used."},
      {"SELECT VALUE a FROM t", "Select projection doesn't support value or pivot keywords"},
      {"SELECT * FROM t LIMIT 5", "Unsupported clause: LIMIT at 1:23:1"},
      {"SELECT * FROM a.b.c", "A path may contain at most 2 components in the FROM clause"},
      {"SELECT * FROM a.\"\"", "Path component cannot be an empty string"},
      {"SELECT * FROM \"\"", "Path component cannot be an empty string"},
      {"SELECT * FROM t ORDER BY a", "Must have WHERE clause in the statement when using ORDER BY clause."},
      {"INSERT INTO a.b VALUE {'x': 1}", "FROM clause may only contain a single table name"},
      {"UPDATE a.b SET x = 1 WHERE y = 1", "This operation is not supported on an index"},
      {"DELETE FROM a.b WHERE y = 1", "This operation is not supported on an index"},
      {"DELETE FROM t WHERE y = 1 RETURNING MODIFIED OLD *",
       "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements."},
      {"INSERT INTO t VALUE {'x': 1} RETURNING ALL OLD *", "RETURNING is not supported in INSERT"},
      {"x IS INT4", "Unsupported operation: IsType"},
  };
  for (const auto& [text, problem] : kCases) EXPECT_EQ(Problem(text), problem) << text;
}

}  // namespace
}  // namespace taula::partiql
