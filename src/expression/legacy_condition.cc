#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "expression/compare.h"
#include "expression/legacy.h"
#include "expression/legacy_error.h"
#include "value/type_name.h"

namespace taula::expression {
namespace {

// By ComparisonOperator.
constexpr std::array<std::string_view, 13> kNames = {
    "EQ", "NE", "IN", "LE", "LT", "GE", "GT", "BETWEEN", "NOT_NULL", "NULL", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH"};

bool IsCountRight(ComparisonOperator op, std::size_t values) {
  switch (op) {
    case ComparisonOperator::kNull:
    case ComparisonOperator::kNotNull:
      return values == 0;
    case ComparisonOperator::kIn:
      return values > 0;
    case ComparisonOperator::kBetween:
      return values == 2;
    default:
      return values == 1;
  }
}

bool TakesType(ComparisonOperator op, Type type) {
  switch (op) {
    case ComparisonOperator::kEq:
    case ComparisonOperator::kNe:
    case ComparisonOperator::kNull:
    case ComparisonOperator::kNotNull:
      return true;
    case ComparisonOperator::kBeginsWith:
      return type == Type::kString || type == Type::kBinary;
    default:
      return HasOrder(type);
  }
}

// The number of values, then their types, then their order.
Result<void> CheckValues(ComparisonOperator op, std::span<const Value> values) {
  const std::string name(NameOf(op));
  if (!IsCountRight(op, values.size())) {
    return InvalidParameter("Invalid number of argument(s) for the " + name + " ComparisonOperator");
  }
  for (const Value& value : values) {
    if (value.type() != values[0].type()) {
      return InvalidParameter("AttributeValues inside AttributeValueList must be of same type");
    }
  }
  for (const Value& value : values) {
    if (TakesType(op, value.type())) continue;
    return InvalidParameter("ComparisonOperator " + name + " is not valid for " +
                            std::string(value::TypeName(value.type())) + " AttributeValue type");
  }
  if (op == ComparisonOperator::kBetween && Compare(values[0].view(), values[1].view()) > 0) {
    return ValidationError(
        "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
  }
  return {};
}

std::span<const Value> ValuesOf(const AttributeCondition& condition) {
  if (condition.operands) return *condition.operands;
  return {};
}

Result<void> CheckConditions(const AttributeConditions& conditions) {
  for (const auto& [attribute, condition] : conditions) {
    if (Result<void> checked = CheckValues(condition.comparison, ValuesOf(condition)); !checked) return checked;
  }
  return {};
}

// How many conditions a ConditionalOperator needs.
Result<void> CheckConditionalOperator(std::optional<ConditionalOperator> conditional_operator, std::size_t conditions) {
  if (!conditional_operator || conditions > 1) return {};
  return ValidationError(conditions == 0
                             ? "ConditionalOperator cannot be used without Filter or Expected"
                             : "ConditionalOperator can only be used when Filter or Expected has two or more elements");
}

// NOT_CONTAINS is more than an operator, see ConditionTree.
Operator OperatorOf(ComparisonOperator op) {
  switch (op) {
    case ComparisonOperator::kEq:
      return Operator::kEqual;
    case ComparisonOperator::kNe:
      return Operator::kNotEqual;
    case ComparisonOperator::kIn:
      return Operator::kIn;
    case ComparisonOperator::kLe:
      return Operator::kLessOrEqual;
    case ComparisonOperator::kLt:
      return Operator::kLess;
    case ComparisonOperator::kGe:
      return Operator::kGreaterOrEqual;
    case ComparisonOperator::kGt:
      return Operator::kGreater;
    case ComparisonOperator::kBetween:
      return Operator::kBetween;
    case ComparisonOperator::kNotNull:
      return Operator::kAttributeExists;
    case ComparisonOperator::kNull:
      return Operator::kAttributeNotExists;
    case ComparisonOperator::kContains:
    case ComparisonOperator::kNotContains:
      return Operator::kContains;
    case ComparisonOperator::kBeginsWith:
      return Operator::kBeginsWith;
  }
  return Operator::kEqual;
}

// Builds the tree that an expression with the same meaning would have.
class ConditionTree {
 public:
  void Add(const std::string& attribute, ComparisonOperator op, std::span<const Value> values) {
    const PathStep step{PathStep::Type::kName, 0, attribute};
    std::vector<NodeId> operands{builder_.AddPath(std::array{step})};
    for (const Value& value : values) {
      operands.push_back(builder_.AddNumberedValue(static_cast<std::uint32_t>(values_.size())));
      values_.push_back(value.view());
    }
    conditions_.push_back(AddCondition(op, operands));
  }

  Condition Finish(ConditionalOperator conditional_operator) {
    const Operator op = conditional_operator == ConditionalOperator::kOr ? Operator::kOr : Operator::kAnd;
    builder_.SetRoot(conditions_.size() == 1 ? conditions_[0] : builder_.AddOperation(op, conditions_));
    return Condition(BoundSyntax(builder_.Finish(), std::move(values_)));
  }

 private:
  NodeId AddCondition(ComparisonOperator op, const std::vector<NodeId>& operands) {
    if (op != ComparisonOperator::kNotContains) return builder_.AddOperation(OperatorOf(op), operands);
    // An attribute that is not there does not count as one that lacks the value.
    const NodeId exists = builder_.AddOperation(Operator::kAttributeExists, std::array{operands[0]});
    const NodeId contains = builder_.AddOperation(Operator::kContains, operands);
    const NodeId lacks = builder_.AddOperation(Operator::kNot, std::array{contains});
    return builder_.AddOperation(Operator::kAnd, std::array{exists, lacks});
  }

  SyntaxBuilder builder_{""};
  std::vector<NodeId> conditions_;
  std::vector<ValueView> values_;
};

// What an Expected compares with: AttributeValueList or Value.
std::span<const Value> ValuesOf(const ExpectedAttribute& expected) {
  if (expected.operands) return *expected.operands;
  if (expected.value) return std::span(&*expected.value, 1);
  return {};
}

Result<void> CheckComparison(const std::string& attribute, const ExpectedAttribute& expected) {
  if (expected.exists) {
    return InvalidParameter("Exists and ComparisonOperator cannot be used together for Attribute: " + attribute);
  }
  const ComparisonOperator comparison = *expected.comparison;
  const bool takes_none = comparison == ComparisonOperator::kNull || comparison == ComparisonOperator::kNotNull;
  if (!takes_none && !expected.value && !expected.operands) {
    return InvalidParameter("Value or AttributeValueList must be used with ComparisonOperator: " +
                            std::string(NameOf(comparison)) + " for Attribute: " + attribute);
  }
  return CheckValues(comparison, ValuesOf(expected));
}

Result<void> CheckExpected(const std::string& attribute, const ExpectedAttribute& expected) {
  if (expected.value && expected.operands) {
    return InvalidParameter("Value and AttributeValueList cannot be used together for Attribute: " + attribute);
  }
  if (expected.comparison) return CheckComparison(attribute, expected);
  if (expected.operands) {
    return InvalidParameter("AttributeValueList can only be used with a ComparisonOperator for Attribute: " +
                            attribute);
  }
  const bool exists = expected.exists.value_or(true);
  if (exists && !expected.value) {
    return InvalidParameter("Value must be provided when Exists is " + std::string(expected.exists ? "true" : "null") +
                            " for Attribute: " + attribute);
  }
  if (!exists && expected.value) {
    return InvalidParameter("Value cannot be used when Exists is false for Attribute: " + attribute);
  }
  return {};
}

}  // namespace

std::optional<ComparisonOperator> ParseComparisonOperator(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<ComparisonOperator>(found - kNames.begin());
}

std::string_view NameOf(ComparisonOperator comparison) { return kNames[static_cast<std::size_t>(comparison)]; }

Result<std::optional<Condition>> BindFilter(const std::optional<AttributeConditions>& conditions,
                                            std::optional<ConditionalOperator> conditional_operator) {
  Result<void> checked = CheckConditionalOperator(conditional_operator, conditions ? conditions->size() : 0);
  if (!checked) return std::unexpected(checked.error());
  if (!conditions || conditions->empty()) return std::nullopt;
  checked = CheckConditions(*conditions);
  if (!checked) return std::unexpected(checked.error());
  ConditionTree tree;
  for (const auto& [attribute, condition] : *conditions) {
    tree.Add(attribute, condition.comparison, ValuesOf(condition));
  }
  return tree.Finish(conditional_operator.value_or(ConditionalOperator::kAnd));
}

Result<std::optional<Condition>> BindExpected(const std::optional<ExpectedAttributes>& expected,
                                              std::optional<ConditionalOperator> conditional_operator) {
  Result<void> checked = CheckConditionalOperator(conditional_operator, expected ? expected->size() : 0);
  if (!checked) return std::unexpected(checked.error());
  if (!expected || expected->empty()) return std::nullopt;
  ConditionTree tree;
  for (const auto& [attribute, one] : *expected) {
    checked = CheckExpected(attribute, one);
    if (!checked) return std::unexpected(checked.error());
    const bool absent = !one.exists.value_or(true);
    const ComparisonOperator fallback = absent ? ComparisonOperator::kNull : ComparisonOperator::kEq;
    tree.Add(attribute, one.comparison.value_or(fallback), ValuesOf(one));
  }
  return tree.Finish(conditional_operator.value_or(ConditionalOperator::kAnd));
}

Result<std::optional<KeyCondition>> BindKeyConditions(const std::optional<AttributeConditions>& conditions) {
  if (!conditions) return std::nullopt;
  if (Result<void> checked = CheckConditions(*conditions); !checked) return std::unexpected(checked.error());
  std::vector<KeyCondition::Clause> clauses;
  for (const auto& [attribute, condition] : *conditions) {
    const std::span<const Value> values = ValuesOf(condition);
    KeyCondition::Clause& clause = clauses.emplace_back();
    clause.attribute = attribute;
    clause.op = KeyOperatorOf(OperatorOf(condition.comparison));
    if (!values.empty()) clause.first = values[0].view();
    if (values.size() > 1) clause.second = values[1].view();
  }
  return KeyCondition(std::move(clauses));
}

}  // namespace taula::expression
