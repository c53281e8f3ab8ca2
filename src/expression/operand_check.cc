#include "expression/operand_check.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "expression/compare.h"
#include "value/type_name.h"

namespace taula::expression {
namespace {

using value::TypeName;

bool IsText(Type type) { return type == Type::kString || type == Type::kBinary; }
bool HasSize(Type type) { return type != Type::kNumber && type != Type::kBool && type != Type::kNull; }
bool IsList(Type type) { return type == Type::kList; }
bool IsNumber(Type type) { return type == Type::kNumber; }

constexpr std::array kTypes = {Type::kBinary,    Type::kNull,   Type::kStringSet, Type::kBool,   Type::kList,
                               Type::kBinarySet, Type::kNumber, Type::kNumberSet, Type::kString, Type::kMap};

std::string WrongType(Operator op, std::string_view type) {
  std::string message = "Incorrect operand type for operator or function; operator or function: ";
  message.append(NameOf(op)).append(", operand type: ").append(type);
  return message;
}

Problem CheckTypes(const BoundSyntax& bound, const Node& node, bool (*allowed)(Type)) {
  for (const NodeId operand : bound.operands(node)) {
    const std::optional<Type> type = StaticTypeOf(bound, operand);
    if (type && !allowed(*type)) return WrongType(node.op, TypeName(*type));
  }
  return std::nullopt;
}

std::optional<std::size_t> OperandCountOf(Operator op) {
  switch (op) {
    case Operator::kAttributeExists:
    case Operator::kAttributeNotExists:
    case Operator::kSize:
      return 1;
    case Operator::kAttributeType:
    case Operator::kBeginsWith:
    case Operator::kContains:
    case Operator::kIfNotExists:
    case Operator::kListAppend:
      return 2;
    default:
      return std::nullopt;
  }
}

Problem CheckOperandCount(const Node& node) {
  const std::optional<std::size_t> wanted = OperandCountOf(node.op);
  if (wanted && *wanted != node.count) {
    std::string message = "Incorrect number of operands for operator or function; operator or function: ";
    message.append(NameOf(node.op)).append(", number of operands: ").append(std::to_string(node.count));
    return message;
  }
  // The operand that is looked for does not count.
  if (node.op == Operator::kIn && node.count - 1 > base::kInOperandsMax) {
    return "The IN operator is provided with too many operands; number of operands: " + std::to_string(node.count - 1);
  }
  return std::nullopt;
}

Problem CheckDistinct(const BoundSyntax& bound, const Node& node) {
  const std::span<const NodeId> operands = bound.operands(node);
  if (operands.empty()) return std::nullopt;
  const Node& first = bound.node(operands[0]);
  if (first.op != Operator::kPath) return std::nullopt;
  for (const NodeId id : operands.subspan(1)) {
    const Node& other = bound.node(id);
    if (other.op != Operator::kPath || !bound.SamePath(first, other)) continue;
    std::string message =
        "The first operand must be distinct from the remaining operands for this operator or function; operator: ";
    message.append(NameOf(node.op)).append(", first operand: ").append(bound.PathText(first));
    return message;
  }
  return std::nullopt;
}

Problem CheckFirstIsPath(const BoundSyntax& bound, const Node& node) {
  if (bound.node(bound.operands(node)[0]).op == Operator::kPath) return std::nullopt;
  return "Operator or function requires a document path; operator or function: " + std::string(NameOf(node.op));
}

Problem CheckAttributeType(const BoundSyntax& bound, const Node& node) {
  const NodeId second = bound.operands(node)[1];
  const std::optional<Type> type = StaticTypeOf(bound, second);
  if (!type) return WrongType(node.op, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
  if (*type != Type::kString) return WrongType(node.op, TypeName(*type));
  const std::string_view name = bound.value(bound.node(second)).bytes();
  if (std::ranges::find(kTypes, name, TypeName) != kTypes.end()) return std::nullopt;
  return "Invalid attribute type name found; type: " + std::string(name) +
         ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}";
}

// A bound as Amazon prints it.
std::string BoundText(ValueView bound) {
  std::string text = "AttributeValue: {";
  text.append(TypeName(bound.type())).append(":");
  if (bound.type() == Type::kNumber) {
    text += bound.number_text();
  } else if (bound.type() == Type::kString) {
    text += bound.bytes();
  } else {
    const std::string size = std::to_string(bound.bytes().size());
    text += "java.nio.HeapByteBuffer[pos=0 lim=" + size + " cap=" + size + "]";
  }
  return text + "}";
}

Problem CheckBetween(const BoundSyntax& bound, const Node& node) {
  if (Problem problem = CheckTypes(bound, node, HasOrder)) return problem;
  const std::span<const NodeId> operands = bound.operands(node);
  const Node& lower_node = bound.node(operands[1]);
  const Node& upper_node = bound.node(operands[2]);
  if (lower_node.op != Operator::kValue || upper_node.op != Operator::kValue) return std::nullopt;
  const ValueView lower = bound.value(lower_node);
  const ValueView upper = bound.value(upper_node);
  std::string_view rule;
  if (lower.type() != upper.type()) {
    rule = "same data type for lower and upper bounds";
  } else if (Compare(lower, upper) > 0) {
    rule = "upper bound to be greater than or equal to lower bound";
  } else {
    return std::nullopt;
  }
  return "The BETWEEN operator requires " + std::string(rule) + "; lower bound operand: " + BoundText(lower) +
         ", upper bound operand: " + BoundText(upper);
}

Problem CheckOperandTypes(const BoundSyntax& bound, const Node& node) {
  switch (node.op) {
    case Operator::kLess:
    case Operator::kLessOrEqual:
    case Operator::kGreater:
    case Operator::kGreaterOrEqual:
      return CheckTypes(bound, node, HasOrder);
    case Operator::kBetween:
      return CheckBetween(bound, node);
    case Operator::kAttributeExists:
    case Operator::kAttributeNotExists:
    case Operator::kIfNotExists:
      return CheckFirstIsPath(bound, node);
    case Operator::kAttributeType:
      return CheckAttributeType(bound, node);
    case Operator::kBeginsWith:
      return CheckTypes(bound, node, IsText);
    case Operator::kSize:
      return CheckTypes(bound, node, HasSize);
    case Operator::kListAppend:
      return CheckTypes(bound, node, IsList);
    case Operator::kPlus:
    case Operator::kMinus:
      return CheckTypes(bound, node, IsNumber);
    default:
      return std::nullopt;
  }
}

// The inner functions first, as they are evaluated first.
template <typename Check>
Problem CheckDepthFirst(const BoundSyntax& bound, NodeId id, Check check) {
  const Node& node = bound.node(id);
  if (node.op == Operator::kPath || node.op == Operator::kValue) return std::nullopt;
  for (const NodeId operand : bound.operands(node)) {
    if (Problem problem = CheckDepthFirst(bound, operand, check)) return problem;
  }
  return check(node);
}

}  // namespace

std::optional<Type> StaticTypeOf(const BoundSyntax& bound, NodeId operand) {
  const Node& node = bound.node(operand);
  switch (node.op) {
    case Operator::kValue:
      return bound.value(node).type();
    case Operator::kSize:
    case Operator::kPlus:
    case Operator::kMinus:
      return Type::kNumber;
    case Operator::kListAppend:
      return Type::kList;
    default:
      return std::nullopt;
  }
}

Problem CheckConditionLeaf(const BoundSyntax& bound, NodeId leaf) {
  if (Problem problem = CheckDepthFirst(bound, leaf, CheckOperandCount)) return problem;
  if (Problem problem = CheckDepthFirst(bound, leaf, [&](const Node& node) { return CheckDistinct(bound, node); })) {
    return problem;
  }
  return CheckDepthFirst(bound, leaf, [&](const Node& node) { return CheckOperandTypes(bound, node); });
}

Problem CheckAssigned(const BoundSyntax& bound, NodeId assigned) {
  return CheckDepthFirst(bound, assigned, [&](const Node& node) -> Problem {
    if (Problem problem = CheckOperandCount(node)) return problem;
    return CheckOperandTypes(bound, node);
  });
}

}  // namespace taula::expression
