#include "partiql/lexer.h"

#include <fmt/format.h>

#include "partiql/keywords.h"
#include "value/written_scale.h"

namespace taula::partiql {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string InLowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::optional<std::vector<Token>> Run() {
    while (SkipBlanks() && at_ < text_.size()) {
      if (!ReadToken()) return std::nullopt;
    }
    if (failed_) return std::nullopt;
    Add(TokenType::kEnd, "", at_);
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // Spaces and comments; false at a comment without an end.
  bool SkipBlanks() {
    while (at_ < text_.size()) {
      if (IsSpace(Peek())) {
        ++at_;
      } else if (Peek() == '-' && Peek(1) == '-') {
        at_ = text_.find_first_of("\r\n", at_);
        if (at_ == std::string_view::npos) at_ = text_.size();
      } else if (Peek() == '/' && Peek(1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        failed_ = end == std::string_view::npos;
        if (failed_) return false;
        at_ = end + 2;
      } else {
        break;
      }
    }
    return true;
  }

  bool ReadToken() {
    const char c = Peek();
    if (IsNameStart(c)) return ReadWord();
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) return ReadNumber();
    if (c == '\'') return ReadQuoted('\'', TokenType::kString);
    if (c == '"') return ReadQuoted('"', TokenType::kQuotedIdentifier);
    return ReadSymbol();
  }

  bool ReadWord() {
    const std::size_t begin = at_;
    while (IsNameStart(Peek()) || IsDigit(Peek())) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    std::string lower = InLowerCase(word);
    if (IsOperatorWord(lower)) return Add(TokenType::kOperator, std::move(lower), begin);
    if (IsKeyword(lower)) return Add(TokenType::kKeyword, std::move(lower), begin);
    return Add(TokenType::kIdentifier, std::string(word), begin);
  }

  bool ReadNumber() {
    const std::size_t begin = at_;
    while (IsDigit(Peek())) ++at_;
    if (Peek() == '.') ++at_;
    while (IsDigit(Peek())) ++at_;
    if (Peek() == 'e' || Peek() == 'E') {
      ++at_;
      if (Peek() == '+' || Peek() == '-') ++at_;
      if (!IsDigit(Peek())) return false;
      while (IsDigit(Peek())) ++at_;
    }
    if (IsNameStart(Peek())) return false;
    const std::string_view number = text_.substr(begin, at_ - begin);
    return value::WrittenScale(number) && Add(TokenType::kNumber, std::string(number), begin);
  }

  // Two quotes in a row stand for one.
  bool ReadQuoted(char quote, TokenType type) {
    const std::size_t begin = at_++;
    std::string content;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c != quote) {
        content.push_back(c);
      } else if (Peek() == quote) {
        content.push_back(c);
        ++at_;
      } else {
        return Add(type, std::move(content), begin);
      }
    }
    return false;
  }

  bool ReadSymbol() {
    const std::size_t begin = at_;
    const std::string_view two = text_.substr(at_, 2);
    if (two == "<<" || two == ">>") return Take(2, two == "<<" ? TokenType::kLeftBag : TokenType::kRightBag);
    if (two == "!=") {
      at_ += 2;
      return Add(TokenType::kOperator, "<>", begin);
    }
    if (two == "<>" || two == "<=" || two == ">=" || two == "||") return Take(2, TokenType::kOperator);
    switch (Peek()) {
      case '=':
      case '<':
      case '>':
      case '+':
      case '-':
      case '/':
      case '%':
        return Take(1, TokenType::kOperator);
      case '*':
        return Take(1, TokenType::kStar);
      case '?':
        return Take(1, TokenType::kParameter);
      case '.':
        return Take(1, TokenType::kDot);
      case ',':
        return Take(1, TokenType::kComma);
      case ':':
        return Take(1, TokenType::kColon);
      case ';':
        return Take(1, TokenType::kSemicolon);
      case '(':
        return Take(1, TokenType::kLeftParen);
      case ')':
        return Take(1, TokenType::kRightParen);
      case '[':
        return Take(1, TokenType::kLeftBracket);
      case ']':
        return Take(1, TokenType::kRightBracket);
      case '{':
        return Take(1, TokenType::kLeftCurly);
      case '}':
        return Take(1, TokenType::kRightCurly);
      default:
        return false;
    }
  }

  bool Take(std::size_t length, TokenType type) {
    const std::size_t begin = at_;
    at_ += length;
    return Add(type, std::string(text_.substr(begin, length)), begin);
  }

  bool Add(TokenType type, std::string text, std::size_t begin) {
    Place place = PlaceOf(begin);
    place.length = CharactersIn(text_.substr(begin, at_ - begin));
    tokens_.push_back({type, std::move(text), place});
    return true;
  }

  static std::uint32_t CharactersIn(std::string_view text) {
    std::uint32_t characters = 0;
    for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    return characters;
  }

  // Tokens come in order, so no character is looked at twice.
  Place PlaceOf(std::size_t begin) {
    for (; placed_ < begin; ++placed_) {
      if (text_[placed_] == '\n') {
        ++line_;
        column_ = 1;
      } else if ((static_cast<unsigned char>(text_[placed_]) & 0xC0U) != 0x80U) {
        ++column_;
      }
    }
    return {line_, column_, 0};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool failed_ = false;
  std::size_t placed_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::string At(const Place& place) { return fmt::format(" at {}:{}:{}", place.line, place.column, place.length); }

std::string_view NameOf(TokenType type) {
  switch (type) {
    case TokenType::kIdentifier:
      return "IDENTIFIER";
    case TokenType::kQuotedIdentifier:
      return "QUOTED_IDENTIFIER";
    case TokenType::kKeyword:
      return "KEYWORD";
    case TokenType::kOperator:
      return "OPERATOR";
    case TokenType::kString:
    case TokenType::kNumber:
      return "LITERAL";
    case TokenType::kParameter:
      return "QUESTION_MARK";
    case TokenType::kStar:
      return "STAR";
    case TokenType::kDot:
      return "DOT";
    case TokenType::kComma:
      return "COMMA";
    case TokenType::kColon:
      return "COLON";
    case TokenType::kSemicolon:
      return "SEMICOLON";
    case TokenType::kLeftParen:
      return "LEFT_PAREN";
    case TokenType::kRightParen:
      return "RIGHT_PAREN";
    case TokenType::kLeftBracket:
      return "LEFT_BRACKET";
    case TokenType::kRightBracket:
      return "RIGHT_BRACKET";
    case TokenType::kLeftCurly:
      return "LEFT_CURLY";
    case TokenType::kRightCurly:
      return "RIGHT_CURLY";
    case TokenType::kLeftBag:
      return "LEFT_DOUBLE_ANGLE_BRACKET";
    case TokenType::kRightBag:
      return "RIGHT_DOUBLE_ANGLE_BRACKET";
    case TokenType::kEnd:
      return "EOF";
  }
  return "";
}

std::optional<std::vector<Token>> Tokenize(std::string_view text) { return Lexer(text).Run(); }

}  // namespace taula::partiql
