#include "expression/parser_core.h"

#include <charconv>
#include <limits>

#include "base/limits.h"
#include "expression/reserved_words.h"

namespace taula::expression {

std::optional<std::string> ParserCore::Problem() const {
  if (syntax_error_) return SyntaxError(tokens_, *syntax_error_);
  for (const std::string& message : faults_) {
    if (!message.empty()) return message;
  }
  return std::nullopt;
}

Token ParserCore::Take() {
  const Token token = Peek();
  if (position_ + 1 < tokens_.size()) ++position_;
  return token;
}

bool ParserCore::Accept(TokenType type) {
  if (!At(type)) return false;
  Take();
  return true;
}

bool ParserCore::AcceptKeyword(std::string_view keyword) {
  if (!AtKeyword(keyword)) return false;
  Take();
  return true;
}

std::nullopt_t ParserCore::Fail() {
  if (!syntax_error_) syntax_error_ = position_;
  return std::nullopt;
}

void ParserCore::Complain(Fault fault, std::string message) {
  std::string& slot = faults_[static_cast<std::size_t>(fault)];
  if (slot.empty()) slot = std::move(message);
}

void ParserCore::CountOperator() {
  if (++operators_ > base::kExpressionOperatorsMax) {
    // Amazon stops counting there, however many there are.
    Complain(Fault::kTooManyOperators, "The expression contains too many operators; operator count: " +
                                           std::to_string(base::kExpressionOperatorsMax + 1));
  }
}

bool ParserCore::AtPath() const {
  return At(TokenType::kNamePlaceholder) || (At(TokenType::kIdentifier) && !IsGrammarKeyword(Peek()));
}

std::optional<PathStep> ParserCore::ParseName() {
  if (!AtPath()) return Fail();
  const Token token = Take();
  if (token.type == TokenType::kNamePlaceholder) {
    return PathStep{PathStep::Type::kPlaceholder, builder_.NumberOfName(token.text), {}};
  }
  if (IsReservedWord(token.text)) {
    Complain(ReservedWordFault(), "Attribute name is a reserved keyword; reserved keyword: " + std::string(token.text));
  }
  return PathStep{PathStep::Type::kName, 0, token.text};
}

std::optional<PathStep> ParserCore::ParseIndex() {
  if (!At(TokenType::kInteger)) return Fail();
  const std::string_view digits = Take().text;
  std::uint32_t index = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (parsed.ec != std::errc() || index > std::numeric_limits<std::int32_t>::max()) {
    Complain(Fault::kListIndex, "List index is not within the allowable range; index: [" + std::string(digits) + "]");
  }
  if (!Accept(TokenType::kCloseBracket)) return Fail();
  return PathStep{PathStep::Type::kIndex, index, {}};
}

bool ParserCore::ParseSteps(std::vector<PathStep>& steps) {
  while (At(TokenType::kDot) || At(TokenType::kOpenBracket)) {
    const bool is_name = Take().type == TokenType::kDot;
    const std::optional<PathStep> step = is_name ? ParseName() : ParseIndex();
    if (!step) return false;
    steps.push_back(*step);
  }
  return true;
}

std::optional<NodeId> ParserCore::ParsePath() {
  const std::optional<PathStep> first = ParseName();
  if (!first) return std::nullopt;
  std::vector<PathStep> steps{*first};
  if (!ParseSteps(steps)) return std::nullopt;
  CheckDepth(steps.size());
  return builder_.AddPath(steps);
}

void ParserCore::CheckDepth(std::size_t steps) {
  if (steps <= base::kNestingLevelsMax) return;
  Complain(Fault::kPathTooDeep,
           "The document path has too many nesting elements; nesting levels: " + std::to_string(steps));
}

bool ParserCore::ParseMoreSteps() {
  std::vector<PathStep> steps;
  if (!ParseSteps(steps)) return false;
  CheckDepth(builder_.ExtendLastPath(steps));
  return true;
}

std::optional<NodeId> ParserCore::ParseValue() {
  if (!At(TokenType::kValuePlaceholder)) return Fail();
  return builder_.AddValue(Take().text);
}

}  // namespace taula::expression
