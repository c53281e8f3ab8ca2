// The language before expressions: Expected, QueryFilter, ScanFilter,
// KeyConditions and AttributeUpdates on their way into the same bound objects
// that expressions become. Errors are Amazon's.
//
// Bound objects keep views of the elements of what is given here, which must
// outlive them and stay where they are: a list may be moved as a whole. Lists
// are in the order of the request; where there is none, nothing is bound.
#pragma once

#include <optional>
#include <string_view>

#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/update.h"
#include "taula/error.h"
#include "taula/requests.h"

namespace taula::expression {

// "EQ" and so on; nothing when there is no such operator.
[[nodiscard]] std::optional<ComparisonOperator> ParseComparisonOperator(std::string_view name);
[[nodiscard]] std::string_view NameOf(ComparisonOperator comparison);

// QueryFilter or ScanFilter. Nothing also for an empty list.
[[nodiscard]] Result<std::optional<Condition>> BindFilter(const std::optional<AttributeConditions>& conditions,
                                                          std::optional<ConditionalOperator> conditional_operator);
// Expected. Nothing also for an empty list.
[[nodiscard]] Result<std::optional<Condition>> BindExpected(const std::optional<ExpectedAttributes>& expected,
                                                            std::optional<ConditionalOperator> conditional_operator);
// KeyConditions. KeyCondition::Match refuses the operators that no key supports.
[[nodiscard]] Result<std::optional<KeyCondition>> BindKeyConditions(
    const std::optional<AttributeConditions>& conditions);

// AttributeUpdates. An empty list is an update that changes nothing.
[[nodiscard]] Result<std::optional<Update>> BindUpdates(const std::optional<AttributeUpdates>& updates);

}  // namespace taula::expression
