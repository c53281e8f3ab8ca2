#include "expression/condition_parser.h"

#include <array>
#include <utility>

namespace taula::expression {
namespace {

struct Function {
  std::string_view name;
  Operator op;
};

constexpr std::array kFunctions = std::to_array<Function>({
    {"attribute_exists", Operator::kAttributeExists},
    {"attribute_not_exists", Operator::kAttributeNotExists},
    {"attribute_type", Operator::kAttributeType},
    {"begins_with", Operator::kBeginsWith},
    {"contains", Operator::kContains},
    {"size", Operator::kSize},
});

std::optional<Operator> FindFunction(std::string_view name) {
  for (const Function& function : kFunctions) {
    if (function.name == name) return function.op;
  }
  return std::nullopt;
}

std::optional<Operator> ComparatorOf(TokenType type) {
  switch (type) {
    case TokenType::kEqual:
      return Operator::kEqual;
    case TokenType::kNotEqual:
      return Operator::kNotEqual;
    case TokenType::kLess:
      return Operator::kLess;
    case TokenType::kLessOrEqual:
      return Operator::kLessOrEqual;
    case TokenType::kGreater:
      return Operator::kGreater;
    case TokenType::kGreaterOrEqual:
      return Operator::kGreaterOrEqual;
    default:
      return std::nullopt;
  }
}

bool IsConditionFunction(Operator op) { return op >= Operator::kAttributeExists && op <= Operator::kContains; }

constexpr std::string_view kRedundantParentheses = "The expression has redundant parentheses;";

std::string MisplacedFunction(Operator op) {
  return "The function is not allowed to be used this way in an expression; function: " + std::string(NameOf(op));
}

}  // namespace

SyntaxPtr ConditionParser::Parse() {
  const std::optional<Piece> condition = ParseOr();
  if (!condition) return nullptr;
  // A whole expression that is only an operand breaks off where it ends.
  if (!At(TokenType::kEnd) || IsOperand(*condition)) {
    Fail();
    return nullptr;
  }
  CheckIsCondition(*condition);
  if (Problem()) return nullptr;
  builder_.SetRoot(condition->node);
  return builder_.Finish();
}

bool ConditionParser::IsGrammarKeyword(const Token& token) const {
  return IsKeyword(token, "AND") || IsKeyword(token, "OR") || IsKeyword(token, "NOT") || IsKeyword(token, "IN") ||
         IsKeyword(token, "BETWEEN");
}

// A path or a value can be nothing else; a call of size() parses wherever a
// condition does, and CheckIsCondition has Amazon's words for that.
bool ConditionParser::IsOperand(const Piece& piece) const {
  const Operator op = builder_.node(piece.node).op;
  return op == Operator::kPath || op == Operator::kValue;
}

void ConditionParser::CheckIsCondition(const Piece& piece) {
  const Operator op = builder_.node(piece.node).op;
  if (op == Operator::kSize) Complain(Fault::kMisplacedFunction, MisplacedFunction(op));
}

std::optional<ConditionParser::Piece> ConditionParser::ParseOr() {
  return ParseChain(Operator::kOr, "OR", &ConditionParser::ParseAnd);
}

std::optional<ConditionParser::Piece> ConditionParser::ParseAnd() {
  return ParseChain(Operator::kAnd, "AND", &ConditionParser::ParseNot);
}

std::optional<ConditionParser::Piece> ConditionParser::ParseChain(
    Operator op, std::string_view keyword, std::optional<Piece> (ConditionParser::*parse_link)()) {
  const std::optional<Piece> first = (this->*parse_link)();
  if (!first || !AtKeyword(keyword)) return first;
  if (IsOperand(*first)) return Fail();
  CheckIsCondition(*first);
  std::vector<NodeId> links{first->node};
  while (AcceptKeyword(keyword)) {
    CountOperator();
    const std::optional<Piece> link = (this->*parse_link)();
    if (!link) return std::nullopt;
    if (IsOperand(*link)) return Fail();
    CheckIsCondition(*link);
    links.push_back(link->node);
  }
  return Piece{builder_.AddOperation(op, links)};
}

std::optional<ConditionParser::Piece> ConditionParser::ParseNot() {
  if (!AcceptKeyword("NOT")) return ParseComparison();
  CountOperator();
  const DepthGuard guard(depth_);
  if (guard.exceeded()) return Fail();
  const std::optional<Piece> negated = ParseNot();
  if (!negated) return std::nullopt;
  if (IsOperand(*negated)) return Fail();
  CheckIsCondition(*negated);
  return Piece{builder_.AddOperation(Operator::kNot, std::array{negated->node})};
}

std::optional<ConditionParser::Piece> ConditionParser::ParseComparison() {
  const std::optional<Piece> left = ParsePrimary();
  if (!left) return std::nullopt;
  const std::optional<Operator> comparator = ComparatorOf(Peek().type);
  if (!comparator && !AtKeyword("BETWEEN") && !AtKeyword("IN")) return left;

  // Functions that are conditions parse here, and are found misplaced below.
  const Operator op = builder_.node(left->node).op;
  if (!IsOperand(*left) && op != Operator::kSize && !IsConditionFunction(op)) return Fail();
  CountOperator();
  if (AcceptKeyword("BETWEEN")) return ParseBetween(left->node);
  if (AcceptKeyword("IN")) return ParseIn(left->node);
  Take();
  const std::optional<NodeId> right = ParseOperand();
  if (!right) return std::nullopt;
  return Piece{Compare(*comparator, std::array{left->node, *right})};
}

std::optional<ConditionParser::Piece> ConditionParser::ParseBetween(NodeId tested) {
  const std::optional<NodeId> lower = ParseOperand();
  if (!lower) return std::nullopt;
  if (!AcceptKeyword("AND")) return Fail();
  const std::optional<NodeId> upper = ParseOperand();
  if (!upper) return std::nullopt;
  return Piece{Compare(Operator::kBetween, std::array{tested, *lower, *upper})};
}

std::optional<ConditionParser::Piece> ConditionParser::ParseIn(NodeId tested) {
  std::vector<NodeId> operands{tested};
  if (!ParseArguments(operands)) return std::nullopt;
  return Piece{Compare(Operator::kIn, operands)};
}

NodeId ConditionParser::Compare(Operator op, std::span<const NodeId> operands) {
  for (const NodeId operand : operands) {
    const Operator operand_op = builder_.node(operand).op;
    if (IsConditionFunction(operand_op)) Complain(Fault::kMisplacedFunction, MisplacedFunction(operand_op));
  }
  return builder_.AddOperation(op, operands);
}

// What stands where either a condition or an operand may come.
std::optional<ConditionParser::Piece> ConditionParser::ParsePrimary() {
  if (At(TokenType::kOpenParenthesis)) return ParseParentheses(&ConditionParser::ParseOr);
  return ParseOperandPiece();
}

std::optional<ConditionParser::Piece> ConditionParser::ParseParentheses(
    std::optional<Piece> (ConditionParser::*parse_content)()) {
  const DepthGuard guard(depth_);
  if (guard.exceeded()) return Fail();
  Take();
  const std::optional<Piece> content = (this->*parse_content)();
  if (!content) return std::nullopt;
  if (!Accept(TokenType::kCloseParenthesis)) return Fail();
  if (content->in_parentheses) Complain(Fault::kRedundantParentheses, std::string(kRedundantParentheses));
  const bool is_path = builder_.node(content->node).op == Operator::kPath;
  if (is_path && (At(TokenType::kDot) || At(TokenType::kOpenBracket))) {
    if (!ParseMoreSteps()) return std::nullopt;
    return Piece{content->node, false};
  }
  return Piece{content->node, true};
}

std::optional<ConditionParser::Piece> ConditionParser::ParseOperandPiece() {
  if (At(TokenType::kOpenParenthesis)) return ParseParentheses(&ConditionParser::ParseOperandPiece);
  std::optional<NodeId> node;
  if (At(TokenType::kValuePlaceholder)) {
    node = ParseValue();
  } else if (AtPath() && At(TokenType::kIdentifier) && Peek(1).type == TokenType::kOpenParenthesis) {
    node = ParseFunction();
  } else {
    node = ParsePath();
  }
  if (!node) return std::nullopt;
  return Piece{*node};
}

std::optional<NodeId> ConditionParser::ParseOperand() {
  const std::optional<Piece> piece = ParseOperandPiece();
  if (!piece) return std::nullopt;
  return piece->node;
}

std::optional<NodeId> ConditionParser::ParseFunction() {
  const DepthGuard guard(depth_);
  if (guard.exceeded()) return Fail();
  const std::string_view name = Take().text;
  CountOperator();
  std::vector<NodeId> arguments;
  if (!ParseArguments(arguments)) return std::nullopt;
  const std::optional<Operator> op = FindFunction(name);
  if (!op) {
    const bool is_update = name == NameOf(Operator::kIfNotExists) || name == NameOf(Operator::kListAppend);
    Complain(Fault::kUnknownFunction, (is_update ? "The function is not allowed in a condition expression; function: "
                                                 : "Invalid function name; function: ") +
                                          std::string(name));
  }
  // A name that is unknown has been complained about: any will do.
  return Compare(op.value_or(Operator::kSize), arguments);
}

// '(' operand ( ',' operand )* ')'
bool ConditionParser::ParseArguments(std::vector<NodeId>& arguments) {
  if (!Accept(TokenType::kOpenParenthesis)) {
    Fail();
    return false;
  }
  do {
    const std::optional<NodeId> argument = ParseOperand();
    if (!argument) return false;
    arguments.push_back(*argument);
  } while (Accept(TokenType::kComma));
  if (Accept(TokenType::kCloseParenthesis)) return true;
  Fail();
  return false;
}

}  // namespace taula::expression
