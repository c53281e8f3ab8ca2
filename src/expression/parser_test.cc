#include "expression/parser.h"

#include "expression/testing.h"

namespace taula::expression {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

std::string ParseMessage(ExpressionKind kind, std::string_view text) { return MessageOf(Parse(kind, text)); }

struct MessageCase {
  std::string text;
  std::string message;
};

void ExpectMessages(ExpressionKind kind, const std::vector<MessageCase>& cases) {
  for (const MessageCase& c : cases) {
    EXPECT_EQ(ParseMessage(kind, c.text), "Invalid " + std::string(NameOf(kind)) + ": " + c.message) << c.text;
  }
}

std::string Repeat(std::string_view unit, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += unit;
  return text;
}

TEST(Parse, RefusesAnEmptyExpression) {
  EXPECT_EQ(ParseMessage(ExpressionKind::kCondition, ""),
            "Invalid ConditionExpression: The expression can not be empty;");
  EXPECT_EQ(ParseMessage(ExpressionKind::kFilter, ""), "Invalid FilterExpression: The expression can not be empty;");
  EXPECT_EQ(ParseMessage(ExpressionKind::kKeyCondition, ""),
            "Invalid KeyConditionExpression: The expression can not be empty;");
  EXPECT_EQ(ParseMessage(ExpressionKind::kProjection, ""),
            "Invalid ProjectionExpression: The expression can not be empty;");
  EXPECT_EQ(ParseMessage(ExpressionKind::kUpdate, ""), "Invalid UpdateExpression: The expression can not be empty;");
}

TEST(Parse, TakesFourKilobytesAndNoMore) {
  const std::string name(4096 - 6, 'a');
  EXPECT_TRUE(Parse(ExpressionKind::kCondition, name + " = :vv"));
  EXPECT_EQ(
      ParseMessage(ExpressionKind::kCondition, name + " = :vvv"),
      "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097");
  EXPECT_EQ(ParseMessage(ExpressionKind::kUpdate, std::string(5000, ' ')),
            "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;");
}

TEST(ParseCondition, Accepts) {
  const std::string_view texts[] = {
      "a = :v",
      ":v = a",
      ":a > :a",
      "a=:v AND b<>:v OR NOT c<:v",
      "a = :v and b = :v or not c = :v",
      "NOT NOT a = :v",
      "NOT (a = :v)",
      "(a = :v)",
      "((a = :v) OR (b = :v))",
      "(a = :v AND (b = :v))",
      "(a) = (:v)",
      "((a) = :v)",
      "(a.b).c = :v",
      "(a)[0].c = :v",
      "(size(a)) < :v",
      "( ( ( size ( a )) < b.Maximum ) AND ( c > :val1 ) )",
      "attribute_exists (a)",
      "attribute_exists((a))",
      "a . b [ 0 ] . #c = :v",
      "a BETWEEN :x AND :y AND b = :z",
      "(a)between(b.c[45].#d)and(:a)",
      "a IN (:x)",
      "a IN (:x, b, size(c))",
      "#4g > a",
      "size(a) IN (:x)",
      "attribute_type(a, :t) AND begins_with(a, :p) AND contains(a, b)",
  };
  for (const std::string_view text : texts) {
    EXPECT_EQ(ParseMessage(ExpressionKind::kCondition, text), "(no error)") << text;
  }
}

TEST(ParseCondition, RefusesBadSyntax) {
  const std::string_view texts[] = {
      "a",
      ":v",
      "(a)",
      "a = ",
      "= a",
      "a = b = c",
      "a AND b = c",
      "a = b AND c",
      "NOT a",
      "(a = b",
      "a = b)",
      "a = b c",
      "()",
      "(a = b) = c",
      "things are not gonna be ok",
      "a > 4",
      "attribute_exists()",
      "attribute_exists(Pictures-RearView)",
      "attribute_exists(\"Pictures.RearView\")",
      "attribute_exists(Pictures..RearView)",
      "attribute_exists(Pi#ctures.RearView)",
      "attribute_exists(asdf[a])",
      "attribute_exists(a[-1])",
      "a.:a < b.:b",
      "a in b, c",
      "a > between",
      "a in b",
      "a in (b,c,)",
      "a in ()",
      "a between b or c",
      "(a)between(b.(c.d))and(c)",
      "(a)between(b.c.d)and((c)",
      "#$.b > a",
      "a > :things.stuff",
      "b[:a] > a",
      "b[#_] > a",
      "ü > a",
      "(a)between(b.c[4.5].#d)and(:a)",
      "size(a).b > a",
      "(size(a)).b > a",
      "size(a)[0] > a",
      "(size(a))[0] > a",
      "a.and = b",
      "a = b;",
      "whatever",
  };
  for (const std::string_view text : texts) {
    EXPECT_THAT(ParseMessage(ExpressionKind::kFilter, text),
                StartsWith("Invalid FilterExpression: Syntax error; token: \""))
        << text;
  }
}

TEST(ParseCondition, SyntaxErrorsNameTheirToken) {
  ExpectMessages(ExpressionKind::kCondition,
                 {
                     {"a = = b", R"(Syntax error; token: "=", near: "= = b")"},
                     {"attribute_not_exists(", R"(Syntax error; token: "<EOF>", near: "(")"},
                     {"a", R"(Syntax error; token: "<EOF>", near: "a")"},
                     {"a b c", R"(Syntax error; token: "b", near: "a b c")"},
                     {"a > 4", R"(Syntax error; token: "4", near: "> 4")"},
                     {"a AND b = c", R"(Syntax error; token: "AND", near: "a AND b")"},
                 });
}

TEST(ParseCondition, RefusesRedundantParentheses) {
  for (const std::string text : {
           "((a = :b))",
           "((a)) = :b",
           "a = ((:b))",
           "a=a and a > ((views))",
           "(a)between(((b.c)).d)and(c)",
           "a > whatever((:things), ((a)))",
           "a=a AND ((a=a AND a=a)) AND a=a",
           "a=a OR ((a=a OR (a=a OR a=a)))",
           "NOT ((a = b))",
       }) {
    EXPECT_EQ(ParseMessage(ExpressionKind::kFilter, text),
              "Invalid FilterExpression: The expression has redundant parentheses;")
        << text;
  }
}

TEST(ParseCondition, FaultsAreToldInAmazonsOrder) {
  ExpectMessages(
      ExpressionKind::kFilter,
      {
          {"a=a and whatever((:things)) > a", "Invalid function name; function: whatever"},
          {"attRIbute_exIsts((views), #a)", "Invalid function name; function: attRIbute_exIsts"},
          {"a = if_not_exists(b, :c)",
           "The function is not allowed in a condition expression; function: if_not_exists"},
          {"a=a and attribute_exists((views), (#a)) > b",
           "The function is not allowed to be used this way in an expression; function: attribute_exists"},
          {"attribute_not_exists(things) > b",
           "The function is not allowed to be used this way in an expression; function: attribute_not_exists"},
          {"attribute_type(things, :a) > b",
           "The function is not allowed to be used this way in an expression; function: attribute_type"},
          {"begins_with(things, a) > b",
           "The function is not allowed to be used this way in an expression; function: begins_with"},
          {"contains(:things, c) > b",
           "The function is not allowed to be used this way in an expression; function: contains"},
          {"size(contains(a, b)) > a",
           "The function is not allowed to be used this way in an expression; function: contains"},
          {"size(things)", "The function is not allowed to be used this way in an expression; function: size"},
          {"(size(things))", "The function is not allowed to be used this way in an expression; function: size"},
          {"NOT size(things)", "The function is not allowed to be used this way in an expression; function: size"},
          {"a = b AND size(things)",
           "The function is not allowed to be used this way in an expression; function: size"},
          {"a between b and attribute_exists(things)",
           "The function is not allowed to be used this way in an expression; function: attribute_exists"},
          {"a in (b, attribute_exists(things))",
           "The function is not allowed to be used this way in an expression; function: attribute_exists"},
          {"attribute_exists(views, #a)", "Attribute name is a reserved keyword; reserved keyword: views"},
          {":a < abOrT", "Attribute name is a reserved keyword; reserved keyword: abOrT"},
          {"a.status = :v", "Attribute name is a reserved keyword; reserved keyword: status"},
          {"status = :v AND whatever(a)", "Invalid function name; function: whatever"},
          {"a[2147483648] = :v", "List index is not within the allowable range; index: [2147483648]"},
          {"a[99999999999999999999] = :v",
           "List index is not within the allowable range; index: [99999999999999999999]"},
      });
}

TEST(ParseCondition, CountsOperatorsUpToThreeHundred) {
  // Each link has two: the comparison, and the OR before it.
  const std::string hundred_fifty = "a=:v" + Repeat(" OR a=:v", 149);
  EXPECT_TRUE(Parse(ExpressionKind::kCondition, hundred_fifty));
  EXPECT_TRUE(Parse(ExpressionKind::kCondition, "NOT " + hundred_fifty));
  const std::string too_many =
      "Invalid ConditionExpression: The expression contains too many operators; operator count: 301";
  EXPECT_EQ(ParseMessage(ExpressionKind::kCondition, hundred_fifty + " OR a=:v"), too_many);
  EXPECT_EQ(ParseMessage(ExpressionKind::kCondition, "a=:v" + Repeat(" OR a=:v", 400)), too_many);
}

TEST(ParseCondition, TakesDeepNestingWithoutHarm) {
  EXPECT_TRUE(Parse(ExpressionKind::kCondition, Repeat("(a=:v OR ", 140) + "b=:v" + Repeat(")", 140)));
  EXPECT_TRUE(Parse(ExpressionKind::kCondition, Repeat("NOT ", 299) + "a=:v"));
  for (const std::string_view opening : {"(", "NOT ", "size(", "NOT(", "a=("}) {
    const std::string text = Repeat(opening, static_cast<int>(4096 / opening.size()));
    EXPECT_THAT(ParseMessage(ExpressionKind::kCondition, text), StartsWith("Invalid ConditionExpression: ")) << opening;
  }
  EXPECT_THAT(ParseMessage(ExpressionKind::kCondition, Repeat("(", 2000) + "a=b" + Repeat(")", 2000)),
              StartsWith("Invalid ConditionExpression: "));
}

TEST(ParseCondition, PathsHaveAtMostThirtyTwoSteps) {
  EXPECT_TRUE(Parse(ExpressionKind::kCondition, "a" + Repeat(".b", 31) + " = :v"));
  ExpectMessages(
      ExpressionKind::kCondition,
      {{"a" + Repeat(".b", 32) + " = :v", "The document path has too many nesting elements; nesting levels: 33"},
       {"(a.b)" + Repeat("[0]", 31) + " = :v", "The document path has too many nesting elements; nesting levels: 33"}});
}

TEST(ParseCondition, NumbersPlaceholdersByTheirFirstAppearance) {
  const Result<SyntaxPtr> syntax = Parse(ExpressionKind::kCondition, "#b = :y AND #a.#b = :x AND #a = :y");
  ASSERT_TRUE(syntax);
  EXPECT_THAT((*syntax)->name_placeholders(), ElementsAre("#b", "#a"));
  EXPECT_THAT((*syntax)->value_placeholders(), ElementsAre(":y", ":x"));
}

TEST(ParseCondition, AndBindsTighterThanOr) {
  const Result<SyntaxPtr> parsed = Parse(ExpressionKind::kCondition, "a=:v OR b=:v AND NOT c=:v OR d=:v");
  ASSERT_TRUE(parsed);
  const Syntax& syntax = **parsed;
  const Node& root = syntax.node(syntax.root());
  ASSERT_EQ(root.op, Operator::kOr);
  ASSERT_EQ(root.count, 3u);
  const Node& second = syntax.node(syntax.operands(root)[1]);
  EXPECT_EQ(second.op, Operator::kAnd);
  EXPECT_EQ(syntax.node(syntax.operands(second)[1]).op, Operator::kNot);
}

TEST(ParseProjection, Accepts) {
  for (const std::string_view text : {"a", " a , b ", "a.b[0][1].#c,#d", "_a1", "a, or2"}) {
    EXPECT_EQ(ParseMessage(ExpressionKind::kProjection, text), "(no error)") << text;
  }
}

TEST(ParseProjection, Refuses) {
  ExpectMessages(ExpressionKind::kProjection,
                 {
                     {"!!! INVALID !!!", R"(Syntax error; token: "!", near: "!!")"},
                     {"a,", R"(Syntax error; token: "<EOF>", near: ",")"},
                     {",a", R"(Syntax error; token: ",", near: ",a")"},
                     {"a b", R"(Syntax error; token: "b", near: "a b")"},
                     {"a..b", R"(Syntax error; token: ".", near: "..b")"},
                     {"a[]", R"(Syntax error; token: "]", near: "[]")"},
                     {"a[b]", R"(Syntax error; token: "b", near: "[b]")"},
                     {":v", R"(Syntax error; token: ":v", near: ":v")"},
                     {"(a)", R"(Syntax error; token: "(", near: "(a")"},
                     {"[0]", R"(Syntax error; token: "[", near: "[0")"},
                     {"   ", R"(Syntax error; token: "<EOF>", near: "")"},
                     {"a, status, Abort", "Attribute name is a reserved keyword; reserved keyword: status"},
                     {"and", "Attribute name is a reserved keyword; reserved keyword: and"},
                 });
}

TEST(ParseUpdate, Accepts) {
  const std::string_view texts[] = {
      "SET a = :v",
      "set a = :v, b.c[0] = d",
      "SET a = b + :v remove c add d :e delete f :g",
      "SET a = (b + c)",
      "SET a = ((b.c.d)+(e))",
      "SET a = (b) - (c)",
      "SET a = ((b))",
      "SET a = (b) + c",
      "SET a = if_not_exists(a, b) + b",
      "SET a = if_not_exists(a, if_not_exists(a, b))",
      "SET a = list_append(if_not_exists(l, :e), (:m))",
      "REMOVE a, b[0], c.#d",
      "ADD a :v, b.c :v",
      "SET #set = :v",
  };
  for (const std::string_view text : texts) {
    EXPECT_EQ(ParseMessage(ExpressionKind::kUpdate, text), "(no error)") << text;
  }
}

TEST(ParseUpdate, RefusesBadSyntax) {
  const std::string_view texts[] = {
      "whatever",
      "set a",
      "set",
      "add a",
      "delete a",
      "set a=set",
      "remove a = b",
      "add a = b",
      "delete a = b",
      "delete a b",
      "delete a if_not_exist(b)",
      "add abort b",
      "add a if_not_exist(b)",
      "remove a b",
      "remove a,",
      "set a b",
      "set :a = b",
      "add :a b",
      "delete :a b",
      "remove :a",
      "set a = b / c",
      "set a = b * c",
      "set a[1] = \"eight\"",
      "set a[1] = 1",
      "SET a = if_not_exist(a, 100)",
      "SET if_not_exist(a, b) = a",
      "SET a = if_not_exists()",
      "set (a = (b + c))",
      "set a = (b.c).d + e",
      "set a = (b.c)[0] + e",
      "set a = b + c + d",
      "set a = (b + c) + d",
      "set a = b + (c + d)",
      "set a = list_append(b + c, d)",
      "set a = :v set",
      "set a = :v,",
      "set a = :v b = :w",
  };
  for (const std::string_view text : texts) {
    EXPECT_THAT(ParseMessage(ExpressionKind::kUpdate, text), StartsWith("Invalid UpdateExpression: Syntax error; "))
        << text;
  }
}

TEST(ParseUpdate, FaultsAreToldInAmazonsOrder) {
  ExpectMessages(
      ExpressionKind::kUpdate,
      {
          {"INVALID SYNTAX HERE", R"(Syntax error; token: "INVALID", near: "INVALID SYNTAX")"},
          {" set #c = :c set abOrt = true ", "Attribute name is a reserved keyword; reserved keyword: abOrt"},
          {" remove Absolute ", "Attribute name is a reserved keyword; reserved keyword: Absolute"},
          {"set #c = if_not_exist(:c) set c = d", "Invalid function name; function: if_not_exist"},
          {"set c = size(d)", "The function is not allowed in an update expression; function: size"},
          {"set a = #c set c = :d", "The \"SET\" section can only be used once in an update expression;"},
          {"remove #d set a = b remove e", "The \"REMOVE\" section can only be used once in an update expression;"},
          {"add #d :e set a = b add e :f", "The \"ADD\" section can only be used once in an update expression;"},
          {"delete #d :e set a = b delete #e :f",
           "The \"DELETE\" section can only be used once in an update expression;"},
      });
}

TEST(ParseUpdate, TakesDeepNestingWithoutHarm) {
  for (const std::string_view opening : {"(", "list_append("}) {
    const std::string text = "SET a = " + Repeat(opening, static_cast<int>(4000 / opening.size()));
    EXPECT_THAT(ParseMessage(ExpressionKind::kUpdate, text), StartsWith("Invalid UpdateExpression: ")) << opening;
  }
}

}  // namespace
}  // namespace taula::expression
