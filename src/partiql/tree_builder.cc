#include "partiql/tree_builder.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <utility>

#include "base/limits.h"
#include "partiql/literal.h"

namespace taula::partiql {
namespace {

using expression::NodeId;
using expression::PathStep;

std::unexpected<Error> UnexpectedComponent(const Expr& expr) {
  return ValidationError("Unexpected path component" + At(expr.place));
}

}  // namespace

bool IsPath(ExprKind kind) { return kind == ExprKind::kName || kind == ExprKind::kPath; }

Result<PathStep> TreeBuilder::StepOf(ExprId step) const {
  const Expr& component = expr(step);
  if (component.kind == ExprKind::kName) {
    if (component.text.empty()) return ValidationError("Path component cannot be an empty string");
    return PathStep{PathStep::Type::kName, 0, component.text};
  }
  if (component.kind != ExprKind::kSubscript) return UnexpectedComponent(component);
  const Expr& index = expr(component.operands[0]);
  if (index.kind != ExprKind::kNumber) return UnexpectedComponent(index);
  std::int64_t number = 0;
  const char* const end = index.text.data() + index.text.size();
  const auto parsed = std::from_chars(index.text.data(), end, number);
  if (parsed.ptr != end) return UnexpectedComponent(index);
  if (parsed.ec != std::errc() || number < 0 || number > std::numeric_limits<std::int32_t>::max()) {
    return ValidationError(
        fmt::format("List index is not within the allowable range; index: [{}]{}", index.text, At(index.place)));
  }
  return PathStep{PathStep::Type::kIndex, static_cast<std::uint32_t>(number), {}};
}

Result<NodeId> TreeBuilder::AddPath(ExprId path) {
  const Expr& whole = expr(path);
  if (!IsPath(whole.kind)) return UnexpectedComponent(whole);
  const std::vector<ExprId> components = whole.kind == ExprKind::kName ? std::vector{path} : whole.operands;
  if (expr(components[0]).kind != ExprKind::kName) return UnexpectedComponent(expr(components[0]));
  if (components.size() > base::kNestingLevelsMax) {
    return ValidationError(
        fmt::format("The document path has too many nesting elements; nesting levels: {}", components.size()));
  }
  std::vector<PathStep> steps;
  for (const ExprId component : components) {
    Result<PathStep> step = StepOf(component);
    if (!step) return std::unexpected(std::move(step.error()));
    steps.push_back(*step);
  }
  return syntax_.AddPath(steps);
}

NodeId TreeBuilder::AddView(ValueView value) {
  values_.push_back(value);
  return syntax_.AddNumberedValue(static_cast<std::uint32_t>(values_.size() - 1));
}

NodeId TreeBuilder::AddConstant(Value value) { return AddView(literals_.emplace_back(std::move(value)).view()); }

Result<NodeId> TreeBuilder::AddValue(ExprId id) {
  const Expr& value = expr(id);
  if (value.kind == ExprKind::kParameter) return AddView(parameters_[value.number].view());
  Result<Value> literal = LiteralValue(statement_, id);
  if (!literal) return std::unexpected(std::move(literal.error()));
  return AddConstant(*std::move(literal));
}

Result<NodeId> TreeBuilder::AddPathOrValue(ExprId id) { return IsPath(expr(id).kind) ? AddPath(id) : AddValue(id); }

}  // namespace taula::partiql
