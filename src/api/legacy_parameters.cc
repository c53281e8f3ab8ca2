#include "api/legacy_parameters.h"

#include <utility>

namespace taula::api {
namespace {

// Both sides list the same values in the same order.
expression::ComparisonOperator Convert(ComparisonOperator comparison) {
  static_assert(static_cast<int>(ComparisonOperator::kBeginsWith) ==
                static_cast<int>(expression::ComparisonOperator::kBeginsWith));
  return static_cast<expression::ComparisonOperator>(comparison);
}

expression::AttributeUpdate::Action Convert(AttributeAction action) {
  static_assert(static_cast<int>(AttributeAction::kDelete) ==
                static_cast<int>(expression::AttributeUpdate::Action::kDelete));
  return static_cast<expression::AttributeUpdate::Action>(action);
}

std::optional<expression::ConditionalOperator> Convert(std::optional<ConditionalOperator> conditional_operator) {
  if (!conditional_operator) return std::nullopt;
  return *conditional_operator == ConditionalOperator::kAnd ? expression::ConditionalOperator::kAnd
                                                            : expression::ConditionalOperator::kOr;
}

void MoveConditions(AttributeConditions conditions, std::vector<expression::AttributeCondition>& out) {
  for (auto& [attribute, condition] : conditions) {
    out.push_back({.attribute = std::move(attribute),
                   .op = Convert(condition.comparison),
                   .values = condition.operands ? std::move(*condition.operands) : std::vector<Value>()});
  }
}

template <typename T>
Result<std::optional<T>> Optional(Result<T> result) {
  if (!result) return std::unexpected(std::move(result.error()));
  return std::optional<T>(*std::move(result));
}

}  // namespace

Result<std::optional<expression::Condition>> LegacyParameters::BindExpected(
    std::optional<ExpectedAttributes> expected, std::optional<ConditionalOperator> conditional_operator) {
  if (expected) {
    for (auto& [attribute, condition] : *expected) {
      expected_.push_back({.attribute = std::move(attribute),
                           .value = std::move(condition.value),
                           .exists = condition.exists,
                           .op = condition.comparison ? std::optional(Convert(*condition.comparison)) : std::nullopt,
                           .values = std::move(condition.operands)});
    }
  }
  const auto combine = Convert(conditional_operator);
  if (Result<void> ok = expression::CheckConditionalOperator(combine, expected_.size()); !ok) {
    return std::unexpected(std::move(ok.error()));
  }
  if (expected_.empty()) return std::nullopt;
  return Optional(expression::BindExpected(expected_, combine));
}

Result<std::optional<expression::Condition>> LegacyParameters::BindFilter(
    std::optional<AttributeConditions> filter, std::optional<ConditionalOperator> conditional_operator) {
  if (filter) MoveConditions(*std::move(filter), filter_);
  const auto combine = Convert(conditional_operator);
  if (Result<void> ok = expression::CheckConditionalOperator(combine, filter_.size()); !ok) {
    return std::unexpected(std::move(ok.error()));
  }
  if (filter_.empty()) return std::nullopt;
  return Optional(expression::BindFilter(filter_, combine));
}

Result<std::optional<expression::KeyCondition>> LegacyParameters::BindKeyConditions(
    std::optional<AttributeConditions> key_conditions) {
  if (!key_conditions) return std::nullopt;
  MoveConditions(*std::move(key_conditions), key_conditions_);
  return Optional(expression::BindKeyConditions(key_conditions_));
}

Result<std::optional<expression::Update>> LegacyParameters::BindUpdates(std::optional<AttributeUpdates> updates) {
  if (!updates) return std::nullopt;
  for (auto& [attribute, update] : *updates) {
    updates_.push_back(
        {.attribute = std::move(attribute), .value = std::move(update.value), .action = Convert(update.action)});
  }
  return Optional(expression::BindUpdates(updates_));
}

}  // namespace taula::api
