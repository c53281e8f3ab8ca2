#include "partiql/changes.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "expression/compare.h"
#include "partiql/literal.h"

namespace taula::partiql {
namespace {

using expression::NodeId;
using expression::Operator;
using expression::UpdateAction;

class ChangeBuilder {
 public:
  explicit ChangeBuilder(TreeBuilder& tree) : tree_(tree) {}

  Result<void> Add(const Change& change) {
    const Result<NodeId> target = tree_.AddPath(change.target);
    if (!target) return std::unexpected(target.error());
    if (!change.value) {
      tree_.syntax().AddAction({UpdateAction::Type::kRemove, *target});
      return {};
    }
    const Expr& value = tree_.expr(*change.value);
    if (value.kind == ExprKind::kCall && (value.text == "set_add" || value.text == "set_delete")) {
      return AddSetFunction(change.target, *target, value);
    }
    const Result<NodeId> assigned = AddAssigned(*change.value);
    if (!assigned) return std::unexpected(assigned.error());
    tree_.syntax().AddAction({UpdateAction::Type::kSet, *target, *assigned});
    return {};
  }

 private:
  // What SET assigns.
  Result<NodeId> AddAssigned(ExprId id) {
    const Expr& expr = tree_.expr(id);
    if (expr.kind == ExprKind::kBinary) {
      if (expr.text == "+") return AddOperation(Operator::kPlus, expr);
      if (expr.text == "-") return AddOperation(Operator::kMinus, expr);
      return ValidationError(fmt::format("Unsupported operator in Update Expression. Operator: {}", expr.text));
    }
    if (expr.kind == ExprKind::kCall) {
      if (expr.text == "list_append") return AddOperation(Operator::kListAppend, expr);
      if (expr.text == "if_not_exists") return AddOperation(Operator::kIfNotExists, expr);
      return ValidationError(fmt::format("Unrecognized function: {}{}", expr.text, At(expr.place)));
    }
    if (IsPath(expr.kind)) return tree_.AddPath(id);
    if (expr.kind == ExprKind::kParameter || IsLiteral(expr.kind)) return tree_.AddValue(id);
    if (expr.kind == ExprKind::kIsType) {
      return ValidationError("IS operator is not supported in update expressions");
    }
    return ValidationError(
        fmt::format("Unsupported operator in Update Expression. Operator: {}", partiql::NameOf(expr)));
  }

  Result<NodeId> AddOperation(Operator op, const Expr& expr) {
    std::vector<NodeId> operands;
    for (const ExprId id : expr.operands) {
      Result<NodeId> operand = AddAssigned(id);
      if (!operand) return operand;
      operands.push_back(*operand);
    }
    return tree_.syntax().AddOperation(op, operands);
  }

  // SET a = set_add(a, <<…>>) is what ADD and DELETE are in an expression.
  Result<void> AddSetFunction(ExprId target, NodeId target_node, const Expr& call) {
    const bool adds = call.text == "set_add";
    const std::string_view name = adds ? "SET_ADD" : "SET_DELETE";
    if (call.operands.size() != 2) {
      return ValidationError(fmt::format("{} must have exactly two arguments{}", name, At(call.place)));
    }
    if (!IsSamePath(target, call.operands[0])) {
      return ValidationError(
          fmt::format("The first argument to {} must equal the assignment value{}", name, At(call.place)));
    }
    const Expr& first = tree_.expr(call.operands[0]);
    const Expr& second = tree_.expr(call.operands[1]);
    Result<NodeId> set = NodeId{0};
    if (second.kind == ExprKind::kParameter || IsLiteral(second.kind)) set = tree_.AddValue(call.operands[1]);
    if (!set) return std::unexpected(std::move(set.error()));
    if ((second.kind != ExprKind::kParameter && !IsLiteral(second.kind)) ||
        !expression::IsSet(tree_.ValueOf(*set).type())) {
      return ValidationError(
          fmt::format("The second argument to {} must be a value with type SET{}", name, At(first.place)));
    }
    tree_.syntax().AddAction({adds ? UpdateAction::Type::kAdd : UpdateAction::Type::kDelete, target_node, *set});
    return {};
  }

  // Whether two expressions are written as the same path.
  [[nodiscard]] bool IsSamePath(ExprId a, ExprId b) const {
    const Expr& left = tree_.expr(a);
    const Expr& right = tree_.expr(b);
    if (left.kind != right.kind || left.text != right.text || left.operands.size() != right.operands.size()) {
      return false;
    }
    if (!IsPath(left.kind) && left.kind != ExprKind::kSubscript && left.kind != ExprKind::kNumber) return false;
    for (std::size_t i = 0; i < left.operands.size(); ++i) {
      if (!IsSamePath(left.operands[i], right.operands[i])) return false;
    }
    return true;
  }

  TreeBuilder& tree_;
};

}  // namespace

Result<expression::Update> BindChanges(TreeBuilder tree, std::span<const Change> changes) {
  ChangeBuilder builder(tree);
  for (const Change& change : changes) {
    if (Result<void> ok = builder.Add(change); !ok) return std::unexpected(std::move(ok.error()));
  }
  return expression::Update::OfStatement(tree.Finish());
}

}  // namespace taula::partiql
