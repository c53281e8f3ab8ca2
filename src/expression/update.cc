#include "expression/update.h"

#include "expression/compare.h"
#include "expression/operand_check.h"
#include "expression/parser.h"
#include "expression/update_run.h"

namespace taula::expression {
namespace {

using ActionType = UpdateAction::Type;

std::vector<NodeId> TargetsOf(const Syntax& syntax) {
  std::vector<NodeId> targets;
  targets.reserve(syntax.actions().size());
  for (const UpdateAction& action : syntax.actions()) targets.push_back(action.path);
  return targets;
}

// All names of the expression are resolved before its values.
Problem ResolveAll(BoundSyntax& bound, Bindings& bindings) {
  for (const BoundSyntax::Which which : {BoundSyntax::Which::kNames, BoundSyntax::Which::kValues}) {
    for (const UpdateAction& action : bound.syntax().actions()) {
      if (Problem problem = bound.Resolve(action.path, bindings, which)) return problem;
      if (action.type == ActionType::kRemove) continue;
      if (Problem problem = bound.Resolve(action.operand, bindings, which)) return problem;
    }
  }
  return std::nullopt;
}

std::string_view LongTypeName(Type type) {
  switch (type) {
    case Type::kNull:
      return "NULL";
    case Type::kBool:
      return "BOOLEAN";
    case Type::kNumber:
      return "NUMBER";
    case Type::kString:
      return "STRING";
    case Type::kBinary:
      return "BINARY";
    case Type::kStringSet:
      return "STRING_SET";
    case Type::kNumberSet:
      return "NUMBER_SET";
    case Type::kBinarySet:
      return "BINARY_SET";
    case Type::kList:
      return "LIST";
    case Type::kMap:
      return "MAP";
  }
  return "";
}

Problem CheckSetOperand(const BoundSyntax& bound, const UpdateAction& action) {
  const Type type = bound.value(bound.node(action.operand)).type();
  if (IsSet(type)) return std::nullopt;
  const bool is_add = action.type == ActionType::kAdd;
  if (is_add && type == Type::kNumber) return std::nullopt;
  const std::string name = is_add ? "ADD" : "DELETE";
  return "Incorrect operand type for operator or function; operator: " + name +
         ", operand type: " + std::string(LongTypeName(type)) + ", typeSet: ALLOWED_FOR_" + name + "_OPERAND";
}

// The operands of ADD and DELETE before those of functions in SET.
Problem CheckOperands(const BoundSyntax& bound) {
  for (const UpdateAction& action : bound.syntax().actions()) {
    if (action.type != ActionType::kAdd && action.type != ActionType::kDelete) continue;
    if (Problem problem = CheckSetOperand(bound, action)) return problem;
  }
  for (const UpdateAction& action : bound.syntax().actions()) {
    if (action.type != ActionType::kSet) continue;
    if (Problem problem = CheckAssigned(bound, action.operand)) return problem;
  }
  return std::nullopt;
}

}  // namespace

Result<Update> Update::Bind(SyntaxPtr syntax, Bindings& bindings) {
  BoundSyntax bound(std::move(syntax));
  PathSet targets;
  Problem problem = ResolveAll(bound, bindings);
  if (!problem) problem = AddPaths(bound, TargetsOf(bound.syntax()), targets);
  if (!problem) problem = CheckOperands(bound);
  if (problem) return InvalidExpression(ExpressionKind::kUpdate, *problem);
  return Update(std::move(bound), Dialect::kExpression, std::move(targets));
}

Result<Update> Update::OfStatement(BoundSyntax bound) {
  PathSet targets;
  Problem problem = AddPaths(bound, TargetsOf(bound.syntax()), targets);
  if (!problem) problem = CheckOperands(bound);
  if (problem) return ValidationError(*std::move(problem));
  return Update(std::move(bound), Dialect::kStatement, std::move(targets));
}

Update Update::OfDistinctAttributes(BoundSyntax bound) {
  PathSet targets;
  for (const UpdateAction& action : bound.syntax().actions()) targets.Add(bound, bound.node(action.path));
  return Update(std::move(bound), Dialect::kLegacy, std::move(targets));
}

Result<Item> Update::Apply(MapView base) const { return UpdateRun(bound_, dialect_, base).Run(); }

Item Update::ExtractUpdated(MapView image) const {
  std::string bytes;
  targets_.AppendExtract(bytes, image);
  return Item::FromEncoded(std::move(bytes));
}

std::optional<Type> Update::StaticType(std::string_view attribute) const {
  for (const UpdateAction& action : bound_.syntax().actions()) {
    const Node& path = bound_.node(action.path);
    if (action.type == ActionType::kRemove || path.count > 1 || bound_.top_level_name(path) != attribute) continue;
    NodeId operand = action.operand;
    // What if_not_exists falls back to is what the attribute has at first.
    while (bound_.node(operand).op == Operator::kIfNotExists) operand = bound_.operands(bound_.node(operand))[1];
    return StaticTypeOf(bound_, operand);
  }
  return std::nullopt;
}

std::size_t Update::StatementCost() const {
  // Measured, not documented.
  constexpr std::size_t kStatement = 3;
  constexpr std::size_t kWritingAction = 19;
  constexpr std::size_t kListElement = 1;
  constexpr std::size_t kArithmetic = 50;
  constexpr std::size_t kClearingAction = 2;

  if (dialect_ == Dialect::kStatement) return 0;
  std::size_t cost = kStatement;
  for (const UpdateAction& action : bound_.syntax().actions()) {
    if (action.type == ActionType::kRemove || action.type == ActionType::kDelete) {
      cost += kClearingAction;
      continue;
    }
    cost += kWritingAction;
    if (bound_.syntax().steps(bound_.node(action.path)).back().type == PathStep::Type::kIndex) cost += kListElement;
    const Operator op = bound_.node(action.operand).op;
    if (op == Operator::kPlus || op == Operator::kMinus) cost += kArithmetic;
  }
  return cost;
}

}  // namespace taula::expression
