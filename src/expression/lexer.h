// Splits the text of an expression into tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace taula::expression {

enum class TokenType : std::uint8_t {
  kEnd,
  kIdentifier,        // also keywords, which each grammar knows for itself
  kNamePlaceholder,   // #name
  kValuePlaceholder,  // :value
  kInteger,
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kPlus,
  kMinus,
  kComma,
  kDot,
  kOpenParenthesis,
  kCloseParenthesis,
  kOpenBracket,
  kCloseBracket,
  kUnknown,  // one character that no expression has
};

struct Token {
  TokenType type;
  std::string_view text;  // in the expression; empty at the end
};

// All tokens of `text`; the last one is kEnd.
[[nodiscard]] std::vector<Token> Tokenize(std::string_view text);

// Whether the token is the keyword, which is given in upper case.
[[nodiscard]] bool IsKeyword(const Token& token, std::string_view keyword);

// "Syntax error; token: …, near: …" for the token at `position`.
[[nodiscard]] std::string SyntaxError(const std::vector<Token>& tokens, std::size_t position);

}  // namespace taula::expression
