#include "expression/update_parser.h"

#include <algorithm>
#include <array>
#include <utility>

namespace taula::expression {
namespace {

// By UpdateAction::Type.
constexpr std::array<std::string_view, 4> kSections = {"SET", "REMOVE", "ADD", "DELETE"};

std::optional<UpdateAction::Type> SectionOf(const Token& token) {
  for (std::size_t i = 0; i < kSections.size(); ++i) {
    if (IsKeyword(token, kSections[i])) return static_cast<UpdateAction::Type>(i);
  }
  return std::nullopt;
}

constexpr std::array kConditionFunctions = std::to_array<std::string_view>(
    {"attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains", "size"});

}  // namespace

SyntaxPtr UpdateParser::Parse() {
  do {
    const std::optional<ActionType> section = SectionOf(Peek());
    if (!section) {
      Fail();
      return nullptr;
    }
    Take();
    if (!ParseSection(*section)) return nullptr;
  } while (!At(TokenType::kEnd));
  if (Problem()) return nullptr;
  return builder_.Finish();
}

bool UpdateParser::IsGrammarKeyword(const Token& token) const { return SectionOf(token).has_value(); }

bool UpdateParser::ParseSection(ActionType type) {
  bool& seen = seen_sections_[static_cast<std::size_t>(type)];
  if (std::exchange(seen, true)) {
    Complain(Fault::kRepeatedSection, "The \"" + std::string(kSections[static_cast<std::size_t>(type)]) +
                                          "\" section can only be used once in an update expression;");
  }
  do {
    if (!ParseAction(type)) return false;
  } while (Accept(TokenType::kComma));
  return true;
}

bool UpdateParser::ParseAction(ActionType type) {
  const std::optional<NodeId> path = ParsePath();
  if (!path) return false;
  std::optional<NodeId> operand;
  switch (type) {
    case ActionType::kRemove:
      builder_.AddAction({type, *path});
      return true;
    case ActionType::kSet:
      if (!Accept(TokenType::kEqual)) {
        Fail();
        return false;
      }
      operand = ParseAssigned();
      break;
    case ActionType::kAdd:
    case ActionType::kDelete:
      operand = ParseValue();
      break;
  }
  if (!operand) return false;
  builder_.AddAction({type, *path, *operand});
  return true;
}

// What is assigned may stand in parentheses as a whole, or start with an
// operand in parentheses; which of them shows only behind the closing one.
std::optional<NodeId> UpdateParser::ParseAssigned() {
  if (!At(TokenType::kOpenParenthesis)) return ParseArithmetic();
  const DepthGuard guard(depth_);
  if (guard.exceeded()) return Fail();
  Take();
  const std::optional<NodeId> inner = ParseAssigned();
  if (!inner) return std::nullopt;
  if (!Accept(TokenType::kCloseParenthesis)) return Fail();
  const Operator op = builder_.node(*inner).op;
  if (op == Operator::kPlus || op == Operator::kMinus) return inner;
  return ParseArithmeticBehind(*inner);
}

std::optional<NodeId> UpdateParser::ParseArithmetic() {
  const std::optional<NodeId> left = ParseOperand();
  if (!left) return std::nullopt;
  return ParseArithmeticBehind(*left);
}

std::optional<NodeId> UpdateParser::ParseArithmeticBehind(NodeId left) {
  if (!At(TokenType::kPlus) && !At(TokenType::kMinus)) return left;
  CountOperator();
  const Operator op = Take().type == TokenType::kPlus ? Operator::kPlus : Operator::kMinus;
  const std::optional<NodeId> right = ParseOperand();
  if (!right) return std::nullopt;
  return builder_.AddOperation(op, std::array{left, *right});
}

std::optional<NodeId> UpdateParser::ParseOperand() {
  if (At(TokenType::kValuePlaceholder)) return ParseValue();
  if (At(TokenType::kOpenParenthesis)) {
    const DepthGuard guard(depth_);
    if (guard.exceeded()) return Fail();
    Take();
    const std::optional<NodeId> inner = ParseOperand();
    if (!inner) return std::nullopt;
    if (!Accept(TokenType::kCloseParenthesis)) return Fail();
    return inner;
  }
  if (AtPath() && At(TokenType::kIdentifier) && Peek(1).type == TokenType::kOpenParenthesis) return ParseFunction();
  return ParsePath();
}

std::optional<NodeId> UpdateParser::ParseFunction() {
  const DepthGuard guard(depth_);
  if (guard.exceeded()) return Fail();
  const std::string_view name = Take().text;
  Take();
  CountOperator();
  std::vector<NodeId> arguments;
  do {
    const std::optional<NodeId> argument = ParseOperand();
    if (!argument) return std::nullopt;
    arguments.push_back(*argument);
  } while (Accept(TokenType::kComma));
  if (!Accept(TokenType::kCloseParenthesis)) return Fail();

  if (name == "if_not_exists") return builder_.AddOperation(Operator::kIfNotExists, arguments);
  if (name != "list_append") ComplainAboutFunction(name);
  return builder_.AddOperation(Operator::kListAppend, arguments);
}

void UpdateParser::ComplainAboutFunction(std::string_view name) {
  const bool is_condition = std::ranges::find(kConditionFunctions, name) != kConditionFunctions.end();
  Complain(Fault::kUnknownFunction, (is_condition ? "The function is not allowed in an update expression; function: "
                                                  : "Invalid function name; function: ") +
                                        std::string(name));
}

}  // namespace taula::expression
