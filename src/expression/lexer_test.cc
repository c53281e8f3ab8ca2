#include "expression/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taula::expression {
namespace {

std::vector<std::string> Texts(std::string_view text) {
  std::vector<std::string> texts;
  for (const Token& token : Tokenize(text)) texts.emplace_back(token.text);
  return texts;
}

std::vector<TokenType> Types(std::string_view text) {
  std::vector<TokenType> types;
  for (const Token& token : Tokenize(text)) types.push_back(token.type);
  return types;
}

using testing::ElementsAre;

TEST(Lexer, SplitsWithoutSpaces) {
  EXPECT_THAT(Texts("a.b[12]>=:v"), ElementsAre("a", ".", "b", "[", "12", "]", ">=", ":v", ""));
}

TEST(Lexer, TakesEveryKindOfSpaceBetweenTokens) { EXPECT_THAT(Texts(" a\t=\r\n:b "), ElementsAre("a", "=", ":b", "")); }

TEST(Lexer, KnowsEveryType) {
  EXPECT_THAT(
      Types("a #b :c 1 = <> < <= > >= + - , . ( ) [ ]"),
      ElementsAre(TokenType::kIdentifier, TokenType::kNamePlaceholder, TokenType::kValuePlaceholder,
                  TokenType::kInteger, TokenType::kEqual, TokenType::kNotEqual, TokenType::kLess,
                  TokenType::kLessOrEqual, TokenType::kGreater, TokenType::kGreaterOrEqual, TokenType::kPlus,
                  TokenType::kMinus, TokenType::kComma, TokenType::kDot, TokenType::kOpenParenthesis,
                  TokenType::kCloseParenthesis, TokenType::kOpenBracket, TokenType::kCloseBracket, TokenType::kEnd));
}

TEST(Lexer, PlaceholdersMayStartWithADigitOrAnUnderscore) {
  EXPECT_THAT(Types("#4g :_"), ElementsAre(TokenType::kNamePlaceholder, TokenType::kValuePlaceholder, TokenType::kEnd));
}

TEST(Lexer, AMarkAloneIsNoPlaceholder) {
  EXPECT_THAT(Types("# :"), ElementsAre(TokenType::kUnknown, TokenType::kUnknown, TokenType::kEnd));
}

TEST(Lexer, AnUnknownCharacterIsOneTokenHoweverManyBytesItHas) {
  EXPECT_THAT(Texts("ü€!"), ElementsAre("ü", "€", "!", ""));
}

TEST(Lexer, EmptyTextHasOnlyItsEnd) { EXPECT_THAT(Types("  "), ElementsAre(TokenType::kEnd)); }

TEST(Lexer, KeywordsHaveNoCase) {
  EXPECT_TRUE(IsKeyword(Tokenize("bEtWeen")[0], "BETWEEN"));
  EXPECT_FALSE(IsKeyword(Tokenize("between_")[0], "BETWEEN"));
  EXPECT_FALSE(IsKeyword(Tokenize("#or")[0], "OR"));
}

struct NearCase {
  std::string_view text;
  std::size_t position;
  std::string_view message;
};

TEST(SyntaxErrorMessage, ShowsTheTokensAround) {
  const NearCase cases[] = {
      {"!!! INVALID !!!", 0, R"(Syntax error; token: "!", near: "!!")"},
      {"INVALID SYNTAX HERE", 0, R"(Syntax error; token: "INVALID", near: "INVALID SYNTAX")"},
      {"a = = b", 2, R"(Syntax error; token: "=", near: "= = b")"},
      {"attribute_not_exists(", 2, R"(Syntax error; token: "<EOF>", near: "(")"},
      {"a  ,  ", 2, R"(Syntax error; token: "<EOF>", near: ",")"},
      {"a b", 1, R"(Syntax error; token: "b", near: "a b")"},
      {"a", 0, R"(Syntax error; token: "a", near: "a")"},
      {"", 0, R"(Syntax error; token: "<EOF>", near: "")"},
  };
  for (const NearCase& c : cases) EXPECT_EQ(SyntaxError(Tokenize(c.text), c.position), c.message) << c.text;
}

}  // namespace
}  // namespace taula::expression
