#include "api/expression_parameters.h"

#include <fmt/format.h>

#include <utility>

namespace taula::api {

using expression::ExpressionKind;
using expression::SyntaxPtr;

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

Result<SyntaxPtr> ExpressionBinder::Parse(ExpressionKind kind, std::optional<std::string_view> text) {
  if (!text) return nullptr;
  return cache_.Parse(kind, *text);
}

template <typename Bound, typename Bind>
Result<std::optional<Bound>> ExpressionBinder::BindSyntax(Result<SyntaxPtr> syntax, Bind bind) {
  if (!syntax) return std::unexpected(std::move(syntax.error()));
  if (*syntax == nullptr) return std::nullopt;
  Result<Bound> bound = bind(*std::move(syntax));
  if (!bound) return std::unexpected(std::move(bound.error()));
  return std::optional<Bound>(*std::move(bound));
}

Result<std::optional<expression::Condition>> ExpressionBinder::BindCondition(Result<SyntaxPtr> syntax) {
  return BindSyntax<expression::Condition>(std::move(syntax), [this](SyntaxPtr tree) {
    return expression::Condition::Bind(ExpressionKind::kCondition, std::move(tree), bindings_);
  });
}

Result<std::optional<expression::Condition>> ExpressionBinder::BindCondition(std::optional<std::string_view> text) {
  return BindCondition(Parse(ExpressionKind::kCondition, text));
}

Result<std::optional<expression::Condition>> ExpressionBinder::BindFilter(std::optional<std::string_view> text) {
  return BindSyntax<expression::Condition>(Parse(ExpressionKind::kFilter, text), [this](SyntaxPtr tree) {
    return expression::Condition::Bind(ExpressionKind::kFilter, std::move(tree), bindings_);
  });
}

Result<std::optional<expression::Update>> ExpressionBinder::BindUpdate(Result<SyntaxPtr> syntax) {
  return BindSyntax<expression::Update>(
      std::move(syntax), [this](SyntaxPtr tree) { return expression::Update::Bind(std::move(tree), bindings_); });
}

Result<std::optional<expression::Update>> ExpressionBinder::BindUpdate(std::optional<std::string_view> text) {
  return BindUpdate(Parse(ExpressionKind::kUpdate, text));
}

Result<std::optional<expression::Projection>> ExpressionBinder::BindProjection(std::optional<std::string_view> text) {
  return BindSyntax<expression::Projection>(Parse(ExpressionKind::kProjection, text), [this](SyntaxPtr tree) {
    return expression::Projection::Bind(std::move(tree), bindings_);
  });
}

Result<std::optional<expression::KeyCondition>> ExpressionBinder::BindKeyCondition(
    std::optional<std::string_view> text, expression::ConditionsPerKey per_key) {
  return BindSyntax<expression::KeyCondition>(
      Parse(ExpressionKind::kKeyCondition, text),
      [this, per_key](SyntaxPtr tree) { return expression::KeyCondition::Bind(std::move(tree), bindings_, per_key); });
}

}  // namespace taula::api
