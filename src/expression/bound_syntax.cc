#include "expression/bound_syntax.h"

#include <algorithm>
#include <utility>

namespace taula::expression {
namespace {

// Stands for the values that are not resolved yet. No evaluation meets it:
// expressions with unresolved placeholders are refused.
constexpr char kUnresolved[] = {static_cast<char>(Type::kNull)};

}  // namespace

BoundSyntax::BoundSyntax(SyntaxPtr syntax)
    : syntax_(std::move(syntax)),
      names_(syntax_->name_placeholders().size()),
      values_(syntax_->value_placeholders().size(), ValueView(kUnresolved)) {}

BoundSyntax::BoundSyntax(SyntaxPtr syntax, std::vector<ValueView> values)
    : syntax_(std::move(syntax)), values_(std::move(values)) {}

std::optional<std::string> BoundSyntax::ResolvePath(const Node& path, Bindings& bindings) {
  for (const PathStep& step : syntax_->steps(path)) {
    if (step.type != PathStep::Type::kPlaceholder) continue;
    const std::string_view placeholder = syntax_->name_placeholders()[step.number];
    const std::optional<std::string_view> meaning = bindings.UseName(placeholder);
    if (!meaning) {
      return "An expression attribute name used in the document path is not defined; attribute name: " +
             std::string(placeholder);
    }
    names_[step.number] = *meaning;
  }
  return std::nullopt;
}

std::optional<std::string> BoundSyntax::ResolveValue(const Node& value_node, Bindings& bindings) {
  const std::string_view placeholder = syntax_->value_placeholders()[value_node.begin];
  const std::optional<ValueView> meaning = bindings.UseValue(placeholder);
  if (!meaning) {
    return "An expression attribute value used in expression is not defined; attribute value: " +
           std::string(placeholder);
  }
  values_[value_node.begin] = *meaning;
  return std::nullopt;
}

std::optional<std::string> BoundSyntax::Resolve(NodeId id, Bindings& bindings, Which which) {
  const Node& node = syntax_->node(id);
  if (node.op == Operator::kPath) return which == Which::kValues ? std::nullopt : ResolvePath(node, bindings);
  if (node.op == Operator::kValue) return which == Which::kNames ? std::nullopt : ResolveValue(node, bindings);
  for (const NodeId operand : syntax_->operands(node)) {
    if (std::optional<std::string> problem = Resolve(operand, bindings, which)) return problem;
  }
  return std::nullopt;
}

std::optional<ValueView> BoundSyntax::Follow(const Node& path, MapView item) const {
  const std::span<const PathStep> steps = syntax_->steps(path);
  std::optional<ValueView> found = item.Find(name(steps[0]));
  for (const PathStep& step : steps.subspan(1)) {
    if (!found) return std::nullopt;
    if (step.type == PathStep::Type::kIndex) {
      if (found->type() != Type::kList) return std::nullopt;
      found = found->list().At(step.number);
    } else {
      if (found->type() != Type::kMap) return std::nullopt;
      found = found->Find(name(step));
    }
  }
  return found;
}

bool BoundSyntax::SamePath(const Node& a, const Node& b) const {
  return std::ranges::equal(syntax_->steps(a), syntax_->steps(b), [this](const PathStep& x, const PathStep& y) {
    const bool is_index = x.type == PathStep::Type::kIndex;
    if (is_index != (y.type == PathStep::Type::kIndex)) return false;
    return is_index ? x.number == y.number : name(x) == name(y);
  });
}

std::string BoundSyntax::PathText(const Node& path) const {
  std::string text = "[";
  for (const PathStep& step : syntax_->steps(path)) {
    if (text.size() > 1) text += ", ";
    if (step.type == PathStep::Type::kIndex) {
      text.append("[").append(std::to_string(step.number)).append("]");
    } else {
      text += name(step);
    }
  }
  return text + "]";
}

std::vector<std::string_view> BoundSyntax::top_level_names() const {
  std::vector<std::string_view> names;
  for (const NodeId path : syntax_->all_paths()) names.push_back(top_level_name(node(path)));
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

bool BoundSyntax::Names(std::string_view attribute) const {
  return std::ranges::any_of(syntax_->all_paths(),
                             [&](NodeId path) { return top_level_name(node(path)) == attribute; });
}

bool BoundSyntax::NamesInside(std::string_view attribute) const {
  return std::ranges::any_of(syntax_->all_paths(), [&](NodeId path) {
    return node(path).count > 1 && top_level_name(node(path)) == attribute;
  });
}

}  // namespace taula::expression
