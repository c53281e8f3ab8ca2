// The parameters that came before expressions, on their way into the same
// bound objects that expressions become.
#pragma once

#include <optional>
#include <vector>

#include "expression/legacy.h"
#include "taula/error.h"
#include "taula/requests.h"

namespace taula::api {

// Holds what the bound objects that it makes refer to: must outlive them. May
// be moved.
class LegacyParameters {
 public:
  // Nothing when there are no conditions.
  [[nodiscard]] Result<std::optional<expression::Condition>> BindExpected(
      std::optional<ExpectedAttributes> expected, std::optional<ConditionalOperator> conditional_operator);
  [[nodiscard]] Result<std::optional<expression::Condition>> BindFilter(
      std::optional<AttributeConditions> filter, std::optional<ConditionalOperator> conditional_operator);
  [[nodiscard]] Result<std::optional<expression::KeyCondition>> BindKeyConditions(
      std::optional<AttributeConditions> key_conditions);
  [[nodiscard]] Result<std::optional<expression::Update>> BindUpdates(std::optional<AttributeUpdates> updates);

 private:
  std::vector<expression::ExpectedAttribute> expected_;
  std::vector<expression::AttributeCondition> filter_;
  std::vector<expression::AttributeCondition> key_conditions_;
  std::vector<expression::AttributeUpdate> updates_;
};

}  // namespace taula::api
