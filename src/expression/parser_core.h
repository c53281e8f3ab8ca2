// What the three grammars share: tokens, document paths, and the order in
// which faults of an expression are told.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expression/lexer.h"
#include "expression/syntax.h"

namespace taula::expression {

// Faults that do not stop the parser. Of several, the first in this order is
// the one that Amazon tells.
enum class Fault : std::uint8_t {
  kTooManyOperators,
  kRedundantParentheses,
  kReservedWordInUpdate,
  kUnknownFunction,
  kMisplacedFunction,
  kRepeatedSection,
  kReservedWord,
  kListIndex,
  kPathTooDeep,
};

class ParserCore {
 public:
  // The message of what is wrong: a syntax error, or else the foremost fault.
  [[nodiscard]] std::optional<std::string> Problem() const;

 protected:
  explicit ParserCore(std::string_view text) : builder_(text), tokens_(Tokenize(builder_.text())) {}

  // Whether an identifier is a keyword of the grammar, which no path can name.
  [[nodiscard]] virtual bool IsGrammarKeyword(const Token& token) const = 0;
  [[nodiscard]] virtual Fault ReservedWordFault() const { return Fault::kReservedWord; }

  ~ParserCore() = default;

  [[nodiscard]] const Token& Peek(std::size_t ahead = 0) const {
    const std::size_t at = position_ + ahead;
    return tokens_[at < tokens_.size() ? at : tokens_.size() - 1];
  }
  [[nodiscard]] bool At(TokenType type) const { return Peek().type == type; }
  [[nodiscard]] bool AtKeyword(std::string_view keyword) const { return IsKeyword(Peek(), keyword); }
  Token Take();
  bool Accept(TokenType type);
  bool AcceptKeyword(std::string_view keyword);

  // Marks the next token as a syntax error. Every Parse function answers
  // nothing once there is one.
  std::nullopt_t Fail();
  // Remembers a fault of an expression that can still be parsed; the first of
  // its sort stays.
  void Complain(Fault fault, std::string message);
  // Counts an operator or a function against the limit.
  void CountOperator();

  [[nodiscard]] bool AtPath() const;
  std::optional<NodeId> ParsePath();
  // Adds the steps behind the path that was parsed last: ".b[3]".
  bool ParseMoreSteps();
  std::optional<NodeId> ParseValue();

  SyntaxBuilder builder_;

 private:
  static constexpr std::size_t kFaults = static_cast<std::size_t>(Fault::kPathTooDeep) + 1;

  std::optional<PathStep> ParseName();
  bool ParseSteps(std::vector<PathStep>& steps);
  void CheckDepth(std::size_t steps);
  std::optional<PathStep> ParseIndex();

  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  std::optional<std::size_t> syntax_error_;
  std::array<std::string, kFaults> faults_;
  std::size_t operators_ = 0;
};

// Bounds the recursion of a parser.
class DepthGuard {
 public:
  // More than an expression within the limit of operators can need.
  static constexpr std::size_t kDepthMax = 400;

  explicit DepthGuard(std::size_t& depth) : depth_(depth) { ++depth_; }
  ~DepthGuard() { --depth_; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;
  [[nodiscard]] bool exceeded() const { return depth_ > kDepthMax; }

 private:
  std::size_t& depth_;
};

}  // namespace taula::expression
