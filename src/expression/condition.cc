#include "expression/condition.h"

#include <algorithm>

#include "expression/compare.h"
#include "expression/operand_check.h"
#include "expression/parser.h"
#include "value/number.h"
#include "value/type_name.h"

namespace taula::expression {
namespace {

// Checks the comparisons and functions as they are written, each for all that
// can be wrong with it.
// `resolve` fills in the placeholders of one, if there are any.
template <typename Resolve>
Problem CheckLeaves(const BoundSyntax& bound, NodeId id, Resolve resolve) {
  const Node& node = bound.node(id);
  if (node.op == Operator::kAnd || node.op == Operator::kOr || node.op == Operator::kNot) {
    for (const NodeId operand : bound.operands(node)) {
      if (Problem problem = CheckLeaves(bound, operand, resolve)) return problem;
    }
    return std::nullopt;
  }
  if (Problem problem = resolve(id)) return problem;
  return CheckConditionLeaf(bound, id);
}

std::size_t Utf16Length(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80) continue;
    units += byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

// What size() answers; nothing for types that have no size.
std::optional<std::size_t> SizeOf(ValueView value) {
  switch (value.type()) {
    case Type::kString:
      return Utf16Length(value.bytes());
    case Type::kBinary:
      return value.bytes().size();
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      return value.set().size();
    case Type::kList:
      return value.list().size();
    case Type::kMap:
      return value.map().size();
    case Type::kNull:
    case Type::kBool:
    case Type::kNumber:
      break;
  }
  return std::nullopt;
}

// One evaluation: a bound tree against one item.
class Evaluation {
 public:
  Evaluation(const BoundSyntax& bound, MapView item) : bound_(bound), item_(item) {}

  [[nodiscard]] bool IsTrue(NodeId id) const {
    const Node& node = bound_.node(id);
    const std::span<const NodeId> operands = bound_.operands(node);
    switch (node.op) {
      case Operator::kAnd:
        return std::ranges::all_of(operands, [this](NodeId operand) { return IsTrue(operand); });
      case Operator::kOr:
        return std::ranges::any_of(operands, [this](NodeId operand) { return IsTrue(operand); });
      case Operator::kNot:
        return !IsTrue(operands[0]);
      case Operator::kAttributeExists:
        return bound_.Follow(bound_.node(operands[0]), item_).has_value();
      case Operator::kAttributeNotExists:
        return !bound_.Follow(bound_.node(operands[0]), item_).has_value();
      case Operator::kIn:
        return IsIn(operands);
      case Operator::kBetween:
        return IsBetween(operands);
      default:
        return IsTrueOfTwo(node.op, operands);
    }
  }

 private:
  // An operand's value. size() makes a number that lives here.
  class Operand {
   public:
    Operand(const Evaluation& evaluation, NodeId id) {
      const BoundSyntax& bound = evaluation.bound_;
      const Node& node = bound.node(id);
      if (node.op == Operator::kValue) {
        value_ = bound.value(node);
      } else if (node.op == Operator::kPath) {
        value_ = bound.Follow(node, evaluation.item_);
      } else {
        SetToSize(Operand(evaluation, bound.operands(node)[0]));
      }
    }
    Operand(const Operand&) = delete;
    Operand& operator=(const Operand&) = delete;

    explicit operator bool() const { return value_.has_value(); }
    ValueView operator*() const { return *value_; }

   private:
    void SetToSize(const Operand& measured) {
      if (!measured) return;
      const std::optional<std::size_t> size = SizeOf(*measured);
      if (!size) return;
      number_.push_back(static_cast<char>(Type::kNumber));
      value::Number(static_cast<std::int64_t>(*size)).AppendOrdered(number_);
      value_ = ValueView(number_.data());
    }

    std::string number_;  // short enough to need no allocation
    std::optional<ValueView> value_;
  };

  [[nodiscard]] bool IsIn(std::span<const NodeId> operands) const {
    const Operand tested(*this, operands[0]);
    if (!tested) return false;
    return std::ranges::any_of(operands.subspan(1), [&](NodeId id) {
      const Operand candidate(*this, id);
      return candidate && *candidate == *tested;
    });
  }

  [[nodiscard]] bool IsBetween(std::span<const NodeId> operands) const {
    const Operand tested(*this, operands[0]);
    const Operand lower(*this, operands[1]);
    const Operand upper(*this, operands[2]);
    if (!tested || !lower || !upper) return false;
    const Type type = (*tested).type();
    if (!HasOrder(type) || (*lower).type() != type || (*upper).type() != type) return false;
    return Compare(*lower, *tested) <= 0 && Compare(*tested, *upper) <= 0;
  }

  [[nodiscard]] bool IsTrueOfTwo(Operator op, std::span<const NodeId> operands) const {
    const Operand left(*this, operands[0]);
    const Operand right(*this, operands[1]);
    // What is missing is unlike everything, and compares with nothing.
    if (!left || !right) return op == Operator::kNotEqual;
    switch (op) {
      case Operator::kEqual:
        return *left == *right;
      case Operator::kNotEqual:
        return !(*left == *right);
      case Operator::kBeginsWith:
        return BeginsWith(*left, *right);
      case Operator::kContains:
        return Contains(*left, *right);
      case Operator::kAttributeType:
        return value::TypeName((*left).type()) == (*right).bytes();
      default:
        return IsOrdered(op, *left, *right);
    }
  }

  [[nodiscard]] static bool IsOrdered(Operator op, ValueView left, ValueView right) {
    if (left.type() != right.type() || !HasOrder(left.type())) return false;
    const std::strong_ordering order = Compare(left, right);
    switch (op) {
      case Operator::kLess:
        return order < 0;
      case Operator::kLessOrEqual:
        return order <= 0;
      case Operator::kGreater:
        return order > 0;
      default:
        return order >= 0;
    }
  }

  const BoundSyntax& bound_;
  MapView item_;
};

}  // namespace

Result<Condition> Condition::Bind(ExpressionKind kind, SyntaxPtr syntax, Bindings& bindings) {
  const NodeId root = syntax->root();
  BoundSyntax bound(std::move(syntax));
  const auto resolve = [&](NodeId leaf) { return bound.Resolve(leaf, bindings); };
  if (const Problem problem = CheckLeaves(bound, root, resolve)) return InvalidExpression(kind, *problem);
  return Condition(std::move(bound));
}

Result<Condition> Condition::OfBound(BoundSyntax bound) {
  const auto resolved = [](NodeId) -> Problem { return std::nullopt; };
  if (const Problem problem = CheckLeaves(bound, bound.syntax().root(), resolved)) return ValidationError(*problem);
  return Condition(std::move(bound));
}

bool Condition::Evaluate(MapView item) const { return Evaluation(bound_, item).IsTrue(bound_.syntax().root()); }

}  // namespace taula::expression
