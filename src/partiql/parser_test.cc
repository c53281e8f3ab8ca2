#include "partiql/parser.h"

#include <gmock/gmock.h>

#include <map>
#include <string>

#include "base/random_id.h"

namespace taula::partiql {
namespace {

using ::testing::StartsWith;

constexpr std::string_view kNotWellFormed = "Statement wasn't well formed, can't be processed: ";

// The error behind "Statement wasn't well formed, can't be processed: ", or
// "well formed".
std::string Problem(std::string_view text) {
  const Result<StatementPtr> parsed = Parse(text);
  if (parsed) return "well formed";
  EXPECT_THAT(parsed.error().message, StartsWith(std::string(kNotWellFormed)));
  return parsed.error().message.substr(kNotWellFormed.size());
}

// A condition as it was understood: operators in front of their operands.
std::string Text(const Statement& statement, ExprId id) {
  const Expr& expr = statement[id];
  static const std::map<ExprKind, std::string> kNames = {
      {ExprKind::kAnd, "AND"},         {ExprKind::kOr, "OR"},          {ExprKind::kNot, "NOT"},
      {ExprKind::kBetween, "BETWEEN"}, {ExprKind::kIn, "IN"},          {ExprKind::kIsType, "IS"},
      {ExprKind::kList, "LIST"},       {ExprKind::kPath, "PATH"},      {ExprKind::kSubscript, "AT"},
      {ExprKind::kNegative, "MINUS"},  {ExprKind::kStruct, "MAP"},     {ExprKind::kBag, "BAG"},
      {ExprKind::kNull, "NULL"},       {ExprKind::kMissing, "MISSING"}};
  std::string text = expr.kind == ExprKind::kParameter ? "?" + std::to_string(expr.number) : expr.text;
  if (const auto name = kNames.find(expr.kind); name != kNames.end()) {
    text = expr.text.empty() ? name->second : name->second + " " + expr.text;
  }
  if (expr.operands.empty()) return text;
  text = "(" + text;
  for (const ExprId operand : expr.operands) text += " " + Text(statement, operand);
  return text + ")";
}

std::string Where(const std::string& condition) {
  const Result<StatementPtr> parsed = Parse("SELECT * FROM t WHERE " + condition);
  if (!parsed) return parsed.error().message;
  return Text(**parsed, *(*parsed)->queries.at(0).where);
}

TEST(Parser, BindsOperatorsAsPartiQlDoes) {
  EXPECT_EQ(Where("a = 1 OR b = 2 AND NOT c = 3"), "(OR (= a 1) (AND (= b 2) (NOT (= c 3))))");
  EXPECT_EQ(Where("a = 1 AND b = 2 AND c = 3"), "(AND (= a 1) (= b 2) (= c 3))");
  EXPECT_EQ(Where("(a = 1 OR b = 2) AND c = 3"), "(AND (OR (= a 1) (= b 2)) (= c 3))");
  EXPECT_EQ(Where("a BETWEEN 1 AND 2 AND b < 3"), "(AND (BETWEEN a 1 2) (< b 3))");
  EXPECT_EQ(Where("NOT a IN [1, 2]"), "(NOT (IN a (LIST 1 2)))");
  EXPECT_EQ(Where("a + 1 * 2 < 3"), "(< (+ a (* 1 2)) 3)");
}

TEST(Parser, KnowsNotInTheMiddleOfAnOperator) {
  EXPECT_EQ(Where("a NOT IN (1, 2)"), "(NOT (IN a (LIST 1 2)))");
  EXPECT_EQ(Where("a NOT BETWEEN 1 AND 2"), "(NOT (BETWEEN a 1 2))");
  EXPECT_EQ(Where("a IS NOT MISSING"), "(NOT (IS missing a))");
  EXPECT_EQ(Where("a IS NULL"), "(IS null a)");
}

TEST(Parser, FoldsSignsIntoNumbers) {
  EXPECT_EQ(Where("a = - - 1 AND b > -/* */-1"), "(AND (= a 1) (> b 1))");
  EXPECT_EQ(Where("a BETWEEN - 2 AND +5"), "(BETWEEN a -2 5)");
  EXPECT_EQ(Where("a > -b"), "(> a (MINUS b))");
}

TEST(Parser, ReadsPathsAndValues) {
  EXPECT_EQ(Where("a.b[0].\"c d\" = {'x': [1, <<'y'>>], 'z': NULL}"),
            "(= (PATH a b (AT 0) c d) (MAP x (LIST 1 (BAG y)) z NULL))");
  EXPECT_EQ(Where("a = ? AND b = ?"), "(AND (= a ?0) (= b ?1))");
  EXPECT_EQ(Where("BEGINS_WITH(a, 'x')"), "(begins_with a x)");
}

TEST(Parser, ReadsEveryStatement) {
  for (const std::string_view text : {
           "SELECT * FROM Music",
           "select a, b.c, d[0] from \"Music\".\"Index\" where a = 'x' order by a desc, b asc;",
           "INSERT INTO Music VALUE {'Artist': 'Acme', 'n': 1}",
           "UPDATE Music SET a = 1, b = b + 1 SET c = list_append(c, [1]) REMOVE d.e[1] WHERE Artist = 'x' "
           "RETURNING ALL NEW *",
           "FROM Music WHERE Artist = 'x' SET a = 1 REMOVE b RETURNING MODIFIED OLD *",
           "DELETE FROM Music WHERE Artist = 'x' RETURNING ALL OLD *",
           "EXISTS(SELECT * FROM Music WHERE Artist = 'x' AND a IS MISSING)",
           "-- a note\nSELECT/**/* FROM Music /* another */ -- and one more",
       }) {
    EXPECT_EQ(Problem(text), "well formed") << text;
  }
}

TEST(Parser, SaysWhatItMissesInAmazonsWords) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"SLECT * FROM \"t\" WHERE pk = 'a'", "Expected data manipulation"},
      {"SELECTT * FROMM \"t\"", "Unexpected token after expression"},
      {"NOT A STATEMENT", "Unexpected token after expression"},
      {"UPDATE Payment-x SET active=? WHERE id=?", "Expected data manipulation"},
      {"UPDATE t WHERE pk = 'a'", "Expected data manipulation"},
      {"UPDATE t SET a WHERE pk = 'a'", "Expected '='"},
      {"SELECT * FROM t WHERE", "Unexpected term"},
      {"SELECT * FROM t WHERE;", "Unexpected term"},
      {"SELECT * FROM t WHERE NOT", "Unexpected term"},
      {"SELECT * FROM t WHERE (", "Unexpected term"},
      {"DELETE FROM t WHERE", "Unexpected term"},
      {"SELECT * FROM t WHERE pk = 'p' AND", "Missing right-hand side expression of infix operator"},
      {"SELECT * FROM t WHERE pk =", "Missing right-hand side expression of infix operator"},
      {"SELECT * FROM t WHERE ORDER BY pk", "Unexpected keyword"},
      {"SELECT * FROM t WHERE IS NULL", "Unexpected operator"},
      {"SELECT * FROM t WHERE pk = LIKE", "Unexpected operator"},
      {"SELECT * FROM t WHERE pk IS FOO", "Expected type name"},
      {"SELECT * FROM t WHERE key = 1", "Unexpected keyword"},
      {"SELECT * FROM t WHERE m.inner = 1", "Invalid path dot component"},
      {"SELECT * FROM t WHERE pk = (1", "Expected RIGHT_PAREN"},
      {"SELECT * FROM t WHERE pk = 1)", "Unexpected token after expression"},
      {"SELECT * FROM t WHERE pk = 1 foo", "Unexpected token after expression"},
      {"SELECT * FROM t WHERE pk = 1 e5", "Unexpected token after expression"},
      {"SELECT * FROM t ORDER BY pk WHERE pk = 1", "Unexpected token after expression"},
      {"SELECT * FROM t; SELECT * FROM t", "Unexpected token after semicolon. (Only one query is allowed.)"},
      {"SELECT *", "Expected FROM after SELECT list"},
      {"SELECT * FROM", "Unexpected term"},
      {"SELECT size(*) FROM t", "size(*) is not allowed"},
      {"DELETE FROM", "Expected identifier for simple path"},
      {"DELETE FROM WHERE pk = 'a'", "Expected identifier for simple path"},
      {"DELETE t WHERE pk = 'a'", "Expected FROM after DELETE"},
      {"DELETE FROM t WHERE pk = 1 ORDER BY pk", "Unexpected token after expression"},
      {"DELETE FROM t WHERE pk = 1 RETURNING *",
       "Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element."},
      {"INSERT INTO t (key) VALUES (?)", "Unexpected keyword"},
      {"INSERT INTO t x VALUE {'pk': 'x'}", "Unexpected token after expression"},
      {"INSERT INTO t VALUE {'pk' 1}", "Expected COLON"},
      {"INSERT INTO t VALUE {'pk': 1", "Expected RIGHT_CURLY"},
      {"INSERT INTO t VALUE {'pk': 1} foo", "Unexpected token after expression"},
      {"FROM t SET c = 1 WHERE pk = 'x'", "Unexpected token after expression"},
      {"SELECT * FROM t WHERE pk = 1 # note", ""},
      {"SELECT * FROM t WHERE pk = 1e2147483648", ""},
      {"", "Unexpected term"},
  };
  for (const auto& [text, problem] : kCases) EXPECT_EQ(Problem(text), problem) << text;
}

TEST(Parser, RefusesWhatIsNestedTooDeep) {
  for (const std::string_view opening : {"(", "[", "{'a':", "NOT ", "- ", "<<", "a[", "size("}) {
    std::string text = "SELECT * FROM t WHERE a = ";
    while (text.size() < 100'000) text += opening;
    EXPECT_EQ(Problem(text), "") << opening;
  }
  for (const std::string_view more : {" + 1", " = 1", " IS NULL", ".b", "[0]", " AND a = 1", " OR a = 1"}) {
    std::string text = "SELECT * FROM t WHERE a";
    while (text.size() < 100'000) text += more;
    Problem(text);
  }
}

// Whatever is sent, the parser answers.
TEST(Parser, SurvivesAnything) {
  const std::vector<std::string_view> kPieces = {
      "SELECT", "*",         "FROM",    "t",    "\"t\"",   ".",           "WHERE",  "a",      "=",
      "1",      "'x'",       "AND",     "OR",   "NOT",     "(",           ")",      "[",      "]",
      "{",      "}",         "<<",      ">>",   ":",       ",",           "?",      "IN",     "IS",
      "NULL",   "MISSING",   "BETWEEN", "SET",  "REMOVE",  "UPDATE",      "DELETE", "INSERT", "INTO",
      "VALUE",  "RETURNING", "ALL",     "OLD",  "NEW",     "MODIFIED",    "size",   "exists", "EXISTS",
      "-",      "+",         "<",       ">=",   "<>",      "||",          ";",      "--",     "/*",
      "*/",     "'",         "\"",      "1e5",  ".5",      "\xC3\xA4",    "\n",     "ORDER",  "BY",
      "LIMIT",  "DESC",      "AS",      "LIKE", "set_add", "list_append", "inner",  "JOIN"};
  std::uint64_t state = base::Random64();
  const std::uint64_t seed = state;
  const auto random = [&state](std::size_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state >> 33U) % below;
  };
  for (int round = 0; round < 20'000; ++round) {
    std::string text = random(3) == 0 ? "" : "SELECT * FROM t WHERE";
    for (std::size_t length = random(30); length > 0; --length) {
      text += ' ';
      text += random(20) == 0 ? std::string(1, static_cast<char>(random(256)))
                              : std::string(kPieces[random(kPieces.size())]);
    }
    const Result<StatementPtr> parsed = Parse(text);
    if (parsed) continue;
    EXPECT_THAT(parsed.error().message, StartsWith(std::string(kNotWellFormed))) << seed << ": " << text;
  }
}

}  // namespace
}  // namespace taula::partiql
