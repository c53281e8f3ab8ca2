// The expressions of a request and the placeholders they share.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "api/decode_faults.h"
#include "api/operation.h"
#include "expression/bindings.h"
#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/projection.h"
#include "expression/update.h"
#include "taula/error.h"
#include "taula/requests.h"

namespace taula::api {

struct NamedParameter {
  std::string_view name;
  bool given;
};

// A request uses either expressions or the parameters that were before them.
[[nodiscard]] Result<void> CheckNotMixed(std::initializer_list<NamedParameter> non_expressions,
                                         std::initializer_list<NamedParameter> expressions);

// Names and values are for requests with an expression that can use them.
[[nodiscard]] Result<void> CheckPlaceholdersAllowed(const ExpressionAttributes& attributes, bool names_allowed,
                                                    bool values_allowed);

// Binds the expressions of one request, in the order in which it is asked to.
// What it returns refers to the elements of `attributes`.
class ExpressionBinder {
 public:
  explicit ExpressionBinder(Context& context) : cache_(context.expressions) {}

  // To be called before any expression is bound. `values_fault` is what is
  // wrong with one of the values, if anything.
  [[nodiscard]] Result<void> AddPlaceholders(const ExpressionAttributes& attributes,
                                             const codec::ValueFault* values_fault);
  [[nodiscard]] Result<void> AddNames(const std::optional<AttributeNames>& names);
  [[nodiscard]] Result<void> AddValues(const std::optional<AttributeValues>& values,
                                       const codec::ValueFault* values_fault);

  // The tree of a text, null for one that is not there; for requests in which
  // other things come between parsing and binding.
  [[nodiscard]] Result<expression::SyntaxPtr> Parse(expression::ExpressionKind kind,
                                                    std::optional<std::string_view> text);

  // Nothing for an expression that is not there.
  [[nodiscard]] Result<std::optional<expression::Condition>> BindCondition(Result<expression::SyntaxPtr> syntax);
  [[nodiscard]] Result<std::optional<expression::Condition>> BindCondition(std::optional<std::string_view> text);
  [[nodiscard]] Result<std::optional<expression::Condition>> BindFilter(std::optional<std::string_view> text);
  [[nodiscard]] Result<std::optional<expression::Update>> BindUpdate(Result<expression::SyntaxPtr> syntax);
  [[nodiscard]] Result<std::optional<expression::Update>> BindUpdate(std::optional<std::string_view> text);
  [[nodiscard]] Result<std::optional<expression::Projection>> BindProjection(std::optional<std::string_view> text);
  [[nodiscard]] Result<std::optional<expression::KeyCondition>> BindKeyCondition(
      std::optional<std::string_view> text, expression::ConditionsPerKey per_key = expression::ConditionsPerKey::kOne);

  [[nodiscard]] Result<void> CheckAllUsed() const { return bindings_.CheckAllUsed(); }

 private:
  template <typename Bound, typename Bind>
  static Result<std::optional<Bound>> BindSyntax(Result<expression::SyntaxPtr> syntax, Bind bind);

  expression::ExpressionCache& cache_;
  expression::Bindings bindings_;
};

}  // namespace taula::api
