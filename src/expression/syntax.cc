#include "expression/syntax.h"

#include <algorithm>
#include <utility>

namespace taula::expression {
namespace {

std::uint32_t NumberOf(std::vector<std::string_view>& placeholders, std::string_view placeholder) {
  const auto found = std::ranges::find(placeholders, placeholder);
  const auto number = static_cast<std::uint32_t>(found - placeholders.begin());
  if (found == placeholders.end()) placeholders.push_back(placeholder);
  return number;
}

template <typename T>
std::size_t MemoryOf(const std::vector<T>& elements) {
  return elements.capacity() * sizeof(T);
}

}  // namespace

std::string_view NameOf(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kCondition:
      return "ConditionExpression";
    case ExpressionKind::kFilter:
      return "FilterExpression";
    case ExpressionKind::kKeyCondition:
      return "KeyConditionExpression";
    case ExpressionKind::kProjection:
      return "ProjectionExpression";
    case ExpressionKind::kUpdate:
      return "UpdateExpression";
  }
  return "";
}

std::string_view NameOf(Operator op) {
  switch (op) {
    case Operator::kAnd:
      return "AND";
    case Operator::kOr:
      return "OR";
    case Operator::kNot:
      return "NOT";
    case Operator::kEqual:
      return "=";
    case Operator::kNotEqual:
      return "<>";
    case Operator::kLess:
      return "<";
    case Operator::kLessOrEqual:
      return "<=";
    case Operator::kGreater:
      return ">";
    case Operator::kGreaterOrEqual:
      return ">=";
    case Operator::kBetween:
      return "BETWEEN";
    case Operator::kIn:
      return "IN";
    case Operator::kAttributeExists:
      return "attribute_exists";
    case Operator::kAttributeNotExists:
      return "attribute_not_exists";
    case Operator::kAttributeType:
      return "attribute_type";
    case Operator::kBeginsWith:
      return "begins_with";
    case Operator::kContains:
      return "contains";
    case Operator::kSize:
      return "size";
    case Operator::kIfNotExists:
      return "if_not_exists";
    case Operator::kListAppend:
      return "list_append";
    case Operator::kPlus:
      return "+";
    case Operator::kMinus:
      return "-";
    case Operator::kPath:
      return "path";
    case Operator::kValue:
      return "value";
  }
  return "";
}

std::size_t Syntax::memory_bytes() const {
  return sizeof(Syntax) + text_.capacity() + MemoryOf(nodes_) + MemoryOf(operands_) + MemoryOf(steps_) +
         MemoryOf(paths_) + MemoryOf(all_paths_) + MemoryOf(actions_) + MemoryOf(name_placeholders_) +
         MemoryOf(value_placeholders_);
}

SyntaxBuilder::SyntaxBuilder(std::string_view text) : syntax_(new Syntax(text)) {}

NodeId SyntaxBuilder::AddOperation(Operator op, std::span<const NodeId> operands) {
  const auto begin = static_cast<std::uint32_t>(syntax_->operands_.size());
  syntax_->operands_.insert(syntax_->operands_.end(), operands.begin(), operands.end());
  syntax_->nodes_.push_back({op, begin, static_cast<std::uint32_t>(operands.size())});
  return static_cast<NodeId>(syntax_->nodes_.size() - 1);
}

NodeId SyntaxBuilder::AddPath(std::span<const PathStep> steps) {
  const auto begin = static_cast<std::uint32_t>(syntax_->steps_.size());
  syntax_->steps_.insert(syntax_->steps_.end(), steps.begin(), steps.end());
  syntax_->nodes_.push_back({Operator::kPath, begin, static_cast<std::uint32_t>(steps.size())});
  const auto id = static_cast<NodeId>(syntax_->nodes_.size() - 1);
  syntax_->all_paths_.push_back(id);
  return id;
}

std::size_t SyntaxBuilder::ExtendLastPath(std::span<const PathStep> steps) {
  syntax_->steps_.insert(syntax_->steps_.end(), steps.begin(), steps.end());
  Node& path = syntax_->nodes_[syntax_->all_paths_.back()];
  path.count += static_cast<std::uint32_t>(steps.size());
  return path.count;
}

NodeId SyntaxBuilder::AddValue(std::string_view placeholder) {
  return AddNumberedValue(NumberOf(syntax_->value_placeholders_, placeholder));
}

NodeId SyntaxBuilder::AddNumberedValue(std::uint32_t number) {
  syntax_->nodes_.push_back({Operator::kValue, number, 0});
  return static_cast<NodeId>(syntax_->nodes_.size() - 1);
}

std::uint32_t SyntaxBuilder::NumberOfName(std::string_view placeholder) {
  return NumberOf(syntax_->name_placeholders_, placeholder);
}

SyntaxPtr SyntaxBuilder::Finish() { return std::exchange(syntax_, nullptr); }

}  // namespace taula::expression
