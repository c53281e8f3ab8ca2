// A condition that is ready to be evaluated: ConditionExpression,
// FilterExpression and their legacy forms.
#pragma once

#include <string_view>
#include <vector>

#include "expression/bindings.h"
#include "expression/bound_syntax.h"
#include "expression/syntax.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::expression {

class Condition {
 public:
  // Resolves the placeholders of a parsed condition and makes the checks that
  // need them. `kind` is what messages call the expression.
  [[nodiscard]] static Result<Condition> Bind(ExpressionKind kind, SyntaxPtr syntax, Bindings& bindings);

  // The same for a tree whose values are filled in already; errors are without
  // "Invalid <kind>: ".
  [[nodiscard]] static Result<Condition> OfBound(BoundSyntax bound);

  // For a tree that was checked in another way.
  explicit Condition(BoundSyntax bound) : bound_(std::move(bound)) {}

  // Whether an item fulfils the condition; a missing item is an empty map.
  [[nodiscard]] bool Evaluate(MapView item) const;

  [[nodiscard]] const BoundSyntax& bound() const { return bound_; }

  // Whether it names the top-level attribute, and something inside of it.
  [[nodiscard]] bool Names(std::string_view attribute) const { return bound_.Names(attribute); }
  [[nodiscard]] bool NamesInside(std::string_view attribute) const { return bound_.NamesInside(attribute); }
  // The top-level attributes that it names, each once, in byte order.
  [[nodiscard]] std::vector<std::string_view> top_level_names() const { return bound_.top_level_names(); }

 private:
  BoundSyntax bound_;
};

}  // namespace taula::expression
