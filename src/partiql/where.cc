#include "partiql/where.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "partiql/literal.h"

namespace taula::partiql {
namespace {

using expression::NodeId;
using expression::Operator;

// Functions that are true or false.
std::optional<Operator> ConditionFunction(std::string_view name) {
  if (name == "begins_with") return Operator::kBeginsWith;
  if (name == "contains") return Operator::kContains;
  if (name == "attribute_type") return Operator::kAttributeType;
  if (name == "attribute_exists") return Operator::kAttributeExists;
  if (name == "attribute_not_exists") return Operator::kAttributeNotExists;
  return std::nullopt;
}

std::optional<Operator> Comparison(std::string_view op) {
  if (op == "=") return Operator::kEqual;
  if (op == "<>") return Operator::kNotEqual;
  if (op == "<") return Operator::kLess;
  if (op == "<=") return Operator::kLessOrEqual;
  if (op == ">") return Operator::kGreater;
  if (op == ">=") return Operator::kGreaterOrEqual;
  return std::nullopt;
}

// The types that IS can ask for, by the names that attribute_type has for them.
std::optional<std::string_view> AttributeTypeOf(std::string_view type) {
  if (type == "null") return "NULL";
  if (type == "boolean" || type == "bool") return "BOOL";
  if (type == "blob") return "B";
  if (type == "string") return "S";
  if (type == "numeric") return "N";
  if (type == "struct" || type == "tuple") return "M";
  if (type == "list") return "L";
  return std::nullopt;
}

std::string InUpperCase(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

class WhereBuilder {
 public:
  explicit WhereBuilder(TreeBuilder& tree) : tree_(tree) {}

  Result<NodeId> AddCondition(ExprId id) {
    const Expr& expr = tree_.expr(id);
    switch (expr.kind) {
      case ExprKind::kAnd:
        return AddAll(Operator::kAnd, expr);
      case ExprKind::kOr:
        return AddAll(Operator::kOr, expr);
      case ExprKind::kNot:
        return AddAll(Operator::kNot, expr);
      case ExprKind::kBinary:
        return AddComparison(expr);
      case ExprKind::kBetween:
        return AddOperands(Operator::kBetween, expr.operands);
      case ExprKind::kIn:
        return AddIn(expr);
      case ExprKind::kIsType:
        return AddIsType(expr);
      case ExprKind::kCall:
        return AddFunction(expr);
      case ExprKind::kLike:
        return ValidationError("Unsupported operator in Condition Expression. Operator: LIKE");
      default:
        return ValidationError(fmt::format("Unsupported operation: {}", ClassOf(expr)));
    }
  }

 private:
  // Each one that stands inside of another makes the work twice as much.
  static constexpr int kTruthsMax = 8;

  [[nodiscard]] static bool IsCondition(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kAnd:
      case ExprKind::kOr:
      case ExprKind::kNot:
      case ExprKind::kBetween:
      case ExprKind::kIn:
      case ExprKind::kIsType:
        return true;
      case ExprKind::kBinary:
        return Comparison(expr.text).has_value();
      case ExprKind::kCall:
        return ConditionFunction(expr.text).has_value();
      default:
        return false;
    }
  }

  Result<NodeId> AddAll(Operator op, const Expr& expr) {
    std::vector<NodeId> operands;
    for (const ExprId id : expr.operands) {
      Result<NodeId> operand = AddCondition(id);
      if (!operand) return operand;
      operands.push_back(*operand);
    }
    return tree_.syntax().AddOperation(op, operands);
  }

  // What a comparison or a function looks at.
  Result<NodeId> AddOperand(ExprId id) {
    const Expr& expr = tree_.expr(id);
    switch (expr.kind) {
      case ExprKind::kCall:
        if (expr.text == "size") return AddOperands(Operator::kSize, expr.operands);
        return ValidationError(fmt::format("Unrecognized function: {}{}", expr.text, At(expr.place)));
      case ExprKind::kBinary:
        return ValidationError(
            fmt::format("Unsupported operator in Condition Expression. Operator: {}", InUpperCase(expr.text)));
      case ExprKind::kName:
      case ExprKind::kPath:
        return tree_.AddPath(id);
      case ExprKind::kParameter:
        return tree_.AddValue(id);
      default:
        if (IsLiteral(expr.kind)) return tree_.AddValue(id);
        return ValidationError(fmt::format("Unsupported operation: {}", ClassOf(expr)));
    }
  }

  Result<NodeId> AddOperands(Operator op, const std::vector<ExprId>& ids) {
    std::vector<NodeId> operands;
    for (const ExprId id : ids) {
      Result<NodeId> operand = AddOperand(id);
      if (!operand) return operand;
      operands.push_back(*operand);
    }
    return tree_.syntax().AddOperation(op, operands);
  }

  Result<NodeId> AddFunction(const Expr& call) {
    if (const std::optional<Operator> op = ConditionFunction(call.text)) return AddOperands(*op, call.operands);
    return ValidationError(fmt::format("Unrecognized function: {}{}", call.text, At(call.place)));
  }

  Result<NodeId> AddComparison(const Expr& expr) {
    const std::optional<Operator> op = Comparison(expr.text);
    if (!op) {
      return ValidationError(
          fmt::format("Unsupported operator in Condition Expression. Operator: {}", InUpperCase(expr.text)));
    }
    const ExprId left = expr.operands[0];
    const ExprId right = expr.operands[1];
    const bool left_is_condition = IsCondition(tree_.expr(left));
    if (!left_is_condition && !IsCondition(tree_.expr(right))) return AddOperands(*op, expr.operands);
    if (*op != Operator::kEqual && *op != Operator::kNotEqual) {
      return ValidationError(fmt::format(
          "Incorrect operand type for operator or function; operator or function: {}, operand type: BOOL", expr.text));
    }
    Result<NodeId> same = left_is_condition ? AddTruthEquals(left, right) : AddTruthEquals(right, left);
    if (!same || *op == Operator::kEqual) return same;
    return Add(Operator::kNot, {*same});
  }

  // Whether the truth of a condition is what `other` says. A condition is no
  // operand of the trees, so this is put in their terms: both, or neither.
  Result<NodeId> AddTruthEquals(ExprId condition, ExprId other) {
    if (++truths_ > kTruthsMax) return ValidationError("Unsupported operation: comparison of comparisons");
    const Result<NodeId> holds = AddCondition(condition);
    if (!holds) return holds;
    const bool is_condition = IsCondition(tree_.expr(other));
    const Result<NodeId> said = is_condition ? AddCondition(other) : AddOperand(other);
    if (!said) return said;
    const NodeId yes = is_condition ? *said : AddIs(*said, true);
    const NodeId no = is_condition ? Add(Operator::kNot, {*said}) : AddIs(*said, false);
    const NodeId both = Add(Operator::kAnd, {*holds, yes});
    const NodeId neither = Add(Operator::kAnd, {Add(Operator::kNot, {*holds}), no});
    return Add(Operator::kOr, {both, neither});
  }

  NodeId AddIs(NodeId operand, bool truth) {
    return Add(Operator::kEqual, {operand, tree_.AddConstant(Value::Bool(truth))});
  }

  Result<NodeId> AddIn(const Expr& in) {
    const Expr& candidates = tree_.expr(in.operands[1]);
    if (candidates.kind != ExprKind::kList && candidates.kind != ExprKind::kBag) {
      return ValidationError("The IN operator must have a list of values as its right operand");
    }
    if (IsCondition(tree_.expr(in.operands[0]))) {
      std::vector<NodeId> any;
      const int truths = truths_;
      for (const ExprId candidate : candidates.operands) {
        truths_ = truths;
        Result<NodeId> same = AddTruthEquals(in.operands[0], candidate);
        if (!same) return same;
        any.push_back(*same);
      }
      return tree_.syntax().AddOperation(Operator::kOr, any);
    }
    std::vector<ExprId> operands = {in.operands[0]};
    operands.insert(operands.end(), candidates.operands.begin(), candidates.operands.end());
    return AddOperands(Operator::kIn, operands);
  }

  Result<NodeId> AddIsType(const Expr& is) {
    const Result<NodeId> operand = AddOperand(is.operands[0]);
    if (!operand) return operand;
    if (is.text == "missing") return Add(Operator::kAttributeNotExists, {*operand});
    const std::optional<std::string_view> type = AttributeTypeOf(is.text);
    if (!type) {
      return ValidationError(
          fmt::format("Unsupported data type for IS operator: {}. Supported data types are [MISSING, NULL, BOOLEAN, "
                      "BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]",
                      InUpperCase(is.text)));
    }
    return Add(Operator::kAttributeType, {*operand, tree_.AddConstant(Value(*type))});
  }

  NodeId Add(Operator op, std::initializer_list<NodeId> operands) {
    return tree_.syntax().AddOperation(op, std::span(operands.begin(), operands.size()));
  }

  TreeBuilder& tree_;
  int truths_ = 0;
};

}  // namespace

Result<expression::Condition> BindWhere(TreeBuilder tree, ExprId where, std::optional<std::string_view> or_without) {
  Result<NodeId> root = WhereBuilder(tree).AddCondition(where);
  if (!root) return std::unexpected(std::move(root.error()));
  if (or_without) {
    const expression::PathStep step{expression::PathStep::Type::kName, 0, *or_without};
    const NodeId path = tree.syntax().AddPath(std::array{step});
    const NodeId lacks = tree.syntax().AddOperation(Operator::kAttributeNotExists, std::array{path});
    root = tree.syntax().AddOperation(Operator::kOr, std::array{lacks, *root});
  }
  tree.syntax().SetRoot(*root);
  return expression::Condition::OfBound(tree.Finish());
}

}  // namespace taula::partiql
