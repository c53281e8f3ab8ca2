// The tokens of a PartiQL statement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taula::partiql {

// Where a token stands, as messages tell it: "at 1:8:5". Counted in characters,
// from 1.
struct Place {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t length = 0;
};

// " at 1:8:5".
[[nodiscard]] std::string At(const Place& place);

enum class TokenType : std::uint8_t {
  kIdentifier,
  kQuotedIdentifier,
  kKeyword,   // in lower case
  kOperator,  // also those that are words, in lower case
  kString,
  kNumber,
  kParameter,
  kStar,
  kDot,
  kComma,
  kColon,
  kSemicolon,
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kLeftCurly,
  kRightCurly,
  kLeftBag,
  kRightBag,
  kEnd,
};

// "RIGHT_PAREN" and so on, as messages name what they expected.
[[nodiscard]] std::string_view NameOf(TokenType type);

struct Token {
  TokenType type;
  std::string text;  // of identifiers and strings: what is between the quotes
  Place place;
};

// The last token is kEnd. Nothing when the text has a character, a number or a
// comment that cannot be read; Amazon does not say which.
[[nodiscard]] std::optional<std::vector<Token>> Tokenize(std::string_view text);

}  // namespace taula::partiql
