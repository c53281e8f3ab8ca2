#include "expression/projection.h"

#include "expression/parser.h"

namespace taula::expression {

Result<Projection> Projection::Bind(SyntaxPtr syntax, Bindings& bindings) {
  BoundSyntax bound(syntax);
  for (const NodeId path : syntax->paths()) {
    if (const auto problem = bound.Resolve(path, bindings)) {
      return InvalidExpression(ExpressionKind::kProjection, *problem);
    }
  }
  PathSet paths;
  if (const auto problem = AddPaths(bound, syntax->paths(), paths)) {
    return InvalidExpression(ExpressionKind::kProjection, *problem);
  }
  return Projection(std::move(syntax), std::move(paths));
}

Result<Projection> Projection::OfAttributes(std::span<const std::string> names) {
  PathSet paths;
  for (const std::string& name : names) {
    if (!paths.AddAttribute(name)) {
      return ValidationError("One or more parameter values were invalid: Duplicate value in attribute name: " + name);
    }
  }
  return Projection(nullptr, std::move(paths));
}

Item Projection::Apply(MapView item) const {
  std::string bytes;
  AppendTo(bytes, item);
  return Item::FromEncoded(std::move(bytes));
}

}  // namespace taula::expression
