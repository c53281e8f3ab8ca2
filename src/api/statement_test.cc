// PartiQL statements, called as the wire calls them.
#include <algorithm>

#include "api/operations.h"
#include "api/wire_test.h"
#include "catalog/item_rules.h"

namespace taula::api {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class StatementTest : public WireTest {
 protected:
  std::string Run(std::string_view statement, std::string_view more = "") {
    std::string body = R"({"Statement":")";
    for (const char c : statement) {
      if (c == '"' || c == '\\') body += '\\';
      body += c;
    }
    return Call(ExecuteStatement, body + "\"" + std::string(more) + "}");
  }

  // The answers to INSERT, UPDATE and DELETE.
  static constexpr std::string_view kNothing = R"({"Items":[]})";
};

TEST_F(StatementTest, WritesAndReads) {
  EXPECT_EQ(Run("INSERT INTO hash VALUE {'pk': 'a', 'n': 1}"), kNothing);
  EXPECT_EQ(Run("SELECT * FROM hash WHERE pk = 'a'"), R"({"Items":[{"n":{"N":"1"},"pk":{"S":"a"}}]})");
  EXPECT_EQ(Run("UPDATE hash SET n = n + 1 WHERE pk = 'a' RETURNING MODIFIED NEW *"), R"({"Items":[{"n":{"N":"2"}}]})");
  EXPECT_EQ(Run("DELETE FROM hash WHERE pk = 'a' RETURNING ALL OLD *"),
            R"({"Items":[{"n":{"N":"2"},"pk":{"S":"a"}}]})");
  EXPECT_EQ(Run("SELECT * FROM hash WHERE pk = 'a'"), kNothing);
}

TEST_F(StatementTest, PagesHaveATokenAndAKey) {
  for (const char* sk : {"1", "2", "3"}) {
    Run("INSERT INTO comp VALUE {'pk': 'a', 'sk': '" + std::string(sk) + "'}");
  }
  const std::string first = Run("SELECT sk FROM comp WHERE pk = 'a'", R"(,"Limit":2)");
  EXPECT_THAT(first, StartsWith(R"({"Items":[{"sk":{"S":"1"}},{"sk":{"S":"2"}}],"NextToken":")"));
  EXPECT_THAT(first, HasSubstr(R"("LastEvaluatedKey":{"pk":{"S":"a"},"sk":{"S":"2"}})"));
  const std::size_t begin = first.find("NextToken\":\"") + 12;
  const std::string token = first.substr(begin, first.find('"', begin) - begin);
  EXPECT_EQ(Run("SELECT sk FROM comp WHERE pk = 'a'", R"(,"NextToken":")" + token + "\""),
            R"({"Items":[{"sk":{"S":"3"}}]})");
  const std::string mismatch = std::string(kInvalid) + "NextToken does not match request";
  EXPECT_EQ(Run("SELECT pk FROM comp WHERE pk = 'a'", R"(,"NextToken":")" + token + "\""), mismatch);
  std::string broken = token;
  broken[20] = broken[20] == 'A' ? 'B' : 'A';
  EXPECT_EQ(Run("SELECT sk FROM comp WHERE pk = 'a'", R"(,"NextToken":")" + broken + "\""), mismatch);
  for (const std::string_view text : {"", "AAAA", "?"}) {
    EXPECT_EQ(Run("SELECT sk FROM comp WHERE pk = 'a'", R"(,"NextToken":")" + std::string(text) + "\""),
              std::string(kInvalid) + "Invalid NextToken");
  }
  // A key that another table would have.
  std::string longer = token.substr(0, 50);
  EXPECT_THAT(Run("SELECT sk FROM comp WHERE pk = 'a'", R"(,"NextToken":")" + longer + "\""), StartsWith(kInvalid));
}

TEST_F(StatementTest, AWholeKeyNeedsNoSecondPage) {
  Run("INSERT INTO comp VALUE {'pk': 'a', 'sk': '1'}");
  EXPECT_EQ(Run("SELECT sk FROM comp WHERE pk = 'a' AND sk = '1'", R"(,"Limit":1)"), R"({"Items":[{"sk":{"S":"1"}}]})");
}

TEST_F(StatementTest, NumericAndBinaryKeys) {
  EXPECT_EQ(Run("INSERT INTO num VALUE {'pk': 1.50, 'sk': -2}"), kNothing);
  EXPECT_EQ(Run("SELECT * FROM num WHERE pk = 15e-1 AND sk < 0"), R"({"Items":[{"pk":{"N":"1.5"},"sk":{"N":"-2"}}]})");
  EXPECT_EQ(Run("INSERT INTO bin VALUE {'pk': ?, 'sk': ?}", R"(,"Parameters":[{"B":"AQ=="},{"B":"Ag=="}])"), kNothing);
  EXPECT_EQ(Run("SELECT sk FROM bin WHERE pk = ? AND sk >= ?", R"(,"Parameters":[{"B":"AQ=="},{"B":"AQ=="}])"),
            R"({"Items":[{"sk":{"B":"Ag=="}}]})");
}

TEST_F(StatementTest, EmptyKeysAreRefused) {
  EXPECT_THAT(Run("INSERT INTO hash VALUE {'pk': ''}"), HasSubstr("empty string value. Key: pk"));
  EXPECT_THAT(Run("SELECT * FROM hash WHERE pk = ''"), HasSubstr("empty string value. Key: pk"));
  EXPECT_THAT(Run("DELETE FROM hash WHERE pk = ''"), HasSubstr("empty string value. Key: pk"));
}

TEST_F(StatementTest, MembersAreChecked) {
  EXPECT_EQ(Call(ExecuteStatement, "{}"),
            std::string(kEnvelope) + "Value null at 'statement' failed to satisfy constraint: Member must not be null");
  EXPECT_THAT(Run("SELECT * FROM hash", R"(,"Limit":0)"), HasSubstr("greater than or equal to 1"));
  EXPECT_THAT(Run(std::string(8193, ' ')), HasSubstr("less than or equal to 8192"));
  EXPECT_THAT(Run("SELECT * FROM ab"), HasSubstr("Table name should be within the length [3, 255]"));
}

// Rules for items, as a design has them: no item may be called bad, and each has
// a length.
class LengthRules final : public catalog::ItemRules {
 public:
  [[nodiscard]] Result<std::optional<Item>> Keep(const catalog::ItemChange& change) const override {
    if (change.after.Find("bad")) return ValidationError("bad is not wanted");
    Item item(change.after);
    item.Set("length", Value(static_cast<std::int64_t>(item.Find("pk")->bytes().size())));
    return item;
  }
  [[nodiscard]] std::vector<catalog::Claim> Claims(ValueView) const override { return {}; }
  [[nodiscard]] std::string_view claims_id() const override { return ""; }
};

TEST_F(StatementTest, RulesForItemsAreKept) {
  ASSERT_TRUE(context().engine.PutRulesOn("hash", std::make_shared<LengthRules>()));
  const std::string refused = std::string(kInvalid) + "bad is not wanted";
  EXPECT_EQ(Run("INSERT INTO hash VALUE {'pk': 'abc'}"), kNothing);
  EXPECT_EQ(Run("SELECT length FROM hash WHERE pk = 'abc'"), R"({"Items":[{"length":{"N":"3"}}]})");
  EXPECT_EQ(Run("UPDATE hash SET length = 9 WHERE pk = 'abc' RETURNING MODIFIED NEW *"),
            R"({"Items":[{"length":{"N":"3"}}]})");
  EXPECT_EQ(Run("INSERT INTO hash VALUE {'pk': 'b', 'bad': 1}"), refused);
  EXPECT_EQ(Run("UPDATE hash SET bad = 1 WHERE pk = 'abc'"), refused);
  EXPECT_THAT(
      Call(BatchExecuteStatement, R"({"Statements":[{"Statement":"UPDATE hash SET bad = 1 WHERE pk = 'abc'"}]})"),
      HasSubstr("bad is not wanted"));
  const Result<std::string> cancelled = CallForResult(
      ExecuteTransaction, R"({"TransactStatements":[{"Statement":"UPDATE hash SET bad = 1 WHERE pk = 'abc'"}]})");
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().cancellation_reasons.at(0).message, "bad is not wanted");
}

// Whatever is sent is answered: statements at random, with keys and without.
TEST_F(StatementTest, AnythingIsAnswered) {
  const std::vector<std::string_view> kPieces = {"pk",
                                                 "sk",
                                                 "a",
                                                 "n",
                                                 "=",
                                                 "=",
                                                 "<",
                                                 ">",
                                                 "<>",
                                                 "AND",
                                                 "AND",
                                                 "OR",
                                                 "NOT",
                                                 "'x'",
                                                 "'y'",
                                                 "1",
                                                 "?",
                                                 "IN",
                                                 "[",
                                                 "]",
                                                 "(",
                                                 ")",
                                                 ",",
                                                 "BETWEEN",
                                                 "IS",
                                                 "MISSING",
                                                 "NULL",
                                                 "begins_with(",
                                                 "size(",
                                                 "attribute_exists(",
                                                 ".",
                                                 "true",
                                                 "pk = 'x'",
                                                 "sk = '1'",
                                                 "sk > '1'",
                                                 "pk IN ['x', 'y']",
                                                 "sk IN ['1', '2']",
                                                 "NOT sk = '1'"};
  std::uint64_t state = 42;
  const auto random = [&state](std::size_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state >> 33U) % below;
  };
  const std::vector<std::string_view> kStarts = {
      "SELECT * FROM comp WHERE pk = 'x' AND ", "SELECT * FROM comp WHERE ", "SELECT * FROM \"comp\".\"lsi\" WHERE ",
      "DELETE FROM comp WHERE pk = 'x' AND sk = '1' AND ", "UPDATE comp SET a = 1 WHERE "};
  for (int round = 0; round < 5'000; ++round) {
    std::string text(kStarts[random(kStarts.size())]);
    for (std::size_t length = 1 + random(8); length > 0; --length) {
      text += ' ';
      text += kPieces[random(kPieces.size())];
    }
    const std::size_t parameters = static_cast<std::size_t>(std::ranges::count(text, '?'));
    std::string more;
    for (std::size_t i = 0; i < parameters; ++i) more += i == 0 ? R"({"S":"x"})" : R"(,{"S":"x"})";
    if (!more.empty()) more = R"(,"Parameters":[)" + more + "]";
    EXPECT_THAT(Run(text, more),
                ::testing::AnyOf(StartsWith("{"), StartsWith(kInvalid), StartsWith("ConditionalCheckFailedException")))
        << text;
  }
}

}  // namespace
}  // namespace taula::api
