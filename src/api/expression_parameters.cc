#include "api/expression_parameters.h"

#include <fmt/format.h>

#include <utility>

namespace taula::api {
namespace {

std::string ListGiven(std::initializer_list<NamedParameter> parameters) {
  std::string list;
  for (const NamedParameter& parameter : parameters) {
    if (!parameter.given) continue;
    if (!list.empty()) list += ", ";
    list += parameter.name;
  }
  return list;
}

}  // namespace

Result<void> CheckNotMixed(std::initializer_list<NamedParameter> non_expressions,
                           std::initializer_list<NamedParameter> expressions) {
  const auto any_given = [](std::initializer_list<NamedParameter> parameters) {
    for (const NamedParameter& parameter : parameters) {
      if (parameter.given) return true;
    }
    return false;
  };
  if (!any_given(non_expressions) || !any_given(expressions)) return {};
  return ValidationError(
      fmt::format("Can not use both expression and non-expression parameters in the same request: Non-expression "
                  "parameters: {{{}}} Expression parameters: {{{}}}",
                  ListGiven(non_expressions), ListGiven(expressions)));
}

Result<void> CheckPlaceholdersAllowed(const ExpressionAttributes& attributes, bool names_allowed, bool values_allowed) {
  if (attributes.names && !names_allowed) {
    return ValidationError("ExpressionAttributeNames can only be specified when using expressions");
  }
  if (attributes.values && !values_allowed) {
    return ValidationError("ExpressionAttributeValues can only be specified when using expressions");
  }
  return {};
}

Result<void> ExpressionBinder::AddPlaceholders(const ExpressionAttributes& attributes,
                                               const codec::ValueFault* values_fault) {
  Result<void> ok = AddNames(attributes.names);
  if (ok) ok = AddValues(attributes.values, values_fault);
  return ok;
}

Result<void> ExpressionBinder::AddNames(const std::optional<AttributeNames>& names) {
  if (!names) return {};
  if (names->empty()) return ValidationError("ExpressionAttributeNames must not be empty");
  for (const auto& [placeholder, name] : *names) {
    if (Result<void> ok = bindings_.AddName(placeholder, name); !ok) return ok;
  }
  return {};
}

Result<void> ExpressionBinder::AddValues(const std::optional<AttributeValues>& values,
                                         const codec::ValueFault* values_fault) {
  if (!values) return {};
  if (values->empty()) return ValidationError("ExpressionAttributeValues must not be empty");
  for (const auto& [placeholder, value] : *values) {
    if (Result<void> ok = bindings_.AddValue(placeholder, value.view()); !ok) return ok;
  }
  if (values_fault != nullptr) return ValidationError(values_fault->message);
  return {};
}

Result<void> ExpressionBinder::CheckSyntax(expression::ExpressionKind kind, const std::optional<std::string>& text) {
  if (!text) return {};
  const Result<expression::SyntaxPtr> syntax = cache_.Parse(kind, *text);
  if (!syntax) return std::unexpected(syntax.error());
  return {};
}

template <typename Bound, typename Bind>
Result<std::optional<Bound>> ExpressionBinder::BindText(expression::ExpressionKind kind,
                                                        const std::optional<std::string>& text, Bind bind) {
  if (!text) return std::nullopt;
  Result<expression::SyntaxPtr> syntax = cache_.Parse(kind, *text);
  if (!syntax) return std::unexpected(std::move(syntax.error()));
  Result<Bound> bound = bind(*std::move(syntax));
  if (!bound) return std::unexpected(std::move(bound.error()));
  return std::optional<Bound>(*std::move(bound));
}

Result<std::optional<expression::Condition>> ExpressionBinder::BindCondition(const std::optional<std::string>& text) {
  constexpr auto kKind = expression::ExpressionKind::kCondition;
  return BindText<expression::Condition>(kKind, text, [this](expression::SyntaxPtr syntax) {
    return expression::Condition::Bind(kKind, std::move(syntax), bindings_);
  });
}

Result<std::optional<expression::Condition>> ExpressionBinder::BindFilter(const std::optional<std::string>& text) {
  constexpr auto kKind = expression::ExpressionKind::kFilter;
  return BindText<expression::Condition>(kKind, text, [this](expression::SyntaxPtr syntax) {
    return expression::Condition::Bind(kKind, std::move(syntax), bindings_);
  });
}

Result<std::optional<expression::Update>> ExpressionBinder::BindUpdate(const std::optional<std::string>& text) {
  return BindText<expression::Update>(expression::ExpressionKind::kUpdate, text, [this](expression::SyntaxPtr syntax) {
    return expression::Update::Bind(std::move(syntax), bindings_);
  });
}

Result<std::optional<expression::Projection>> ExpressionBinder::BindProjection(const std::optional<std::string>& text) {
  return BindText<expression::Projection>(
      expression::ExpressionKind::kProjection, text,
      [this](expression::SyntaxPtr syntax) { return expression::Projection::Bind(std::move(syntax), bindings_); });
}

Result<std::optional<expression::KeyCondition>> ExpressionBinder::BindKeyCondition(
    const std::optional<std::string>& text, expression::ConditionsPerKey per_key) {
  return BindText<expression::KeyCondition>(
      expression::ExpressionKind::kKeyCondition, text, [this, per_key](expression::SyntaxPtr syntax) {
        return expression::KeyCondition::Bind(std::move(syntax), bindings_, per_key);
      });
}

}  // namespace taula::api
