#include "expression/lexer.h"

namespace taula::expression {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsIdentifierStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsIdentifierPart(char c) { return IsIdentifierStart(c) || IsDigit(c); }
bool IsContinuationByte(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

template <typename Predicate>
std::size_t EndOfRun(std::string_view text, std::size_t at, Predicate belongs) {
  while (at < text.size() && belongs(text[at])) ++at;
  return at;
}

TokenType TypeOfSymbol(std::string_view symbol) {
  if (symbol.size() == 2) {
    if (symbol == "<>") return TokenType::kNotEqual;
    if (symbol == "<=") return TokenType::kLessOrEqual;
    if (symbol == ">=") return TokenType::kGreaterOrEqual;
    return TokenType::kUnknown;
  }
  switch (symbol[0]) {
    case '=':
      return TokenType::kEqual;
    case '<':
      return TokenType::kLess;
    case '>':
      return TokenType::kGreater;
    case '+':
      return TokenType::kPlus;
    case '-':
      return TokenType::kMinus;
    case ',':
      return TokenType::kComma;
    case '.':
      return TokenType::kDot;
    case '(':
      return TokenType::kOpenParenthesis;
    case ')':
      return TokenType::kCloseParenthesis;
    case '[':
      return TokenType::kOpenBracket;
    case ']':
      return TokenType::kCloseBracket;
    default:
      return TokenType::kUnknown;
  }
}

Token SymbolAt(std::string_view text, std::size_t at) {
  const std::string_view two = text.substr(at, 2);
  if (TypeOfSymbol(two) != TokenType::kUnknown) return {TypeOfSymbol(two), two};
  const std::string_view one = text.substr(at, 1);
  const TokenType type = TypeOfSymbol(one);
  if (type != TokenType::kUnknown) return {type, one};
  const std::size_t end = EndOfRun(text, at + 1, IsContinuationByte);
  return {TokenType::kUnknown, text.substr(at, end - at)};
}

Token TokenAt(std::string_view text, std::size_t at) {
  const char first = text[at];
  if (IsIdentifierStart(first)) {
    return {TokenType::kIdentifier, text.substr(at, EndOfRun(text, at, IsIdentifierPart) - at)};
  }
  if (IsDigit(first)) return {TokenType::kInteger, text.substr(at, EndOfRun(text, at, IsDigit) - at)};
  if (first == '#' || first == ':') {
    const std::size_t end = EndOfRun(text, at + 1, IsIdentifierPart);
    if (end == at + 1) return {TokenType::kUnknown, text.substr(at, 1)};
    return {first == '#' ? TokenType::kNamePlaceholder : TokenType::kValuePlaceholder, text.substr(at, end - at)};
  }
  return SymbolAt(text, at);
}

}  // namespace

std::vector<Token> Tokenize(std::string_view text) {
  std::vector<Token> tokens;
  tokens.reserve(text.size() / 4 + 2);
  std::size_t at = EndOfRun(text, 0, IsSpace);
  while (at < text.size()) {
    tokens.push_back(TokenAt(text, at));
    at = EndOfRun(text, at + tokens.back().text.size(), IsSpace);
  }
  tokens.push_back({TokenType::kEnd, text.substr(text.size())});
  return tokens;
}

bool IsKeyword(const Token& token, std::string_view keyword) {
  if (token.type != TokenType::kIdentifier || token.text.size() != keyword.size()) return false;
  for (std::size_t i = 0; i < keyword.size(); ++i) {
    // Clearing this bit makes letters upper case, and no other character of an
    // identifier a letter.
    if ((token.text[i] & ~0x20) != keyword[i]) return false;
  }
  return true;
}

std::string SyntaxError(const std::vector<Token>& tokens, std::size_t position) {
  const Token& token = tokens[position];
  const Token& before = position > 0 ? tokens[position - 1] : token;
  const Token& after = position + 1 < tokens.size() ? tokens[position + 1] : token;
  // At the end of the text Amazon shows what stands before it, alone.
  const Token& last = token.type == TokenType::kEnd ? before : after.type == TokenType::kEnd ? token : after;
  const std::string_view near(before.text.data(), last.text.data() + last.text.size() - before.text.data());

  std::string message = "Syntax error; token: \"";
  message.append(token.type == TokenType::kEnd ? std::string_view("<EOF>") : token.text);
  message.append("\", near: \"").append(near).append("\"");
  return message;
}

}  // namespace taula::expression
