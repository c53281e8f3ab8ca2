// The language before expressions: Expected, QueryFilter, ScanFilter,
// KeyConditions and AttributeUpdates, as typed values, and their way into the
// same bound objects that expressions become. Errors are Amazon's.
//
// Bound objects keep views into the structs given here, which must outlive
// them and stay where they are. Lists are in the order of the request.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/update.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::expression {

enum class ComparisonOperator : std::uint8_t {
  kEq,
  kNe,
  kIn,
  kLe,
  kLt,
  kGe,
  kGt,
  kBetween,
  kNotNull,
  kNull,
  kContains,
  kNotContains,
  kBeginsWith,
};

// "EQ" and so on; nothing when there is no such operator.
[[nodiscard]] std::optional<ComparisonOperator> ParseComparisonOperator(std::string_view name);
[[nodiscard]] std::string_view NameOf(ComparisonOperator op);

enum class ConditionalOperator : std::uint8_t { kAnd, kOr };

// One member of KeyConditions, QueryFilter or ScanFilter.
struct AttributeCondition {
  std::string attribute;
  ComparisonOperator op;
  std::vector<Value> values;  // AttributeValueList
};

// One member of Expected.
struct ExpectedAttribute {
  std::string attribute;
  std::optional<Value> value;
  std::optional<bool> exists;
  std::optional<ComparisonOperator> op;
  std::optional<std::vector<Value>> values;  // AttributeValueList
};

// One member of AttributeUpdates.
struct AttributeUpdate {
  enum class Action : std::uint8_t { kPut, kAdd, kDelete };

  std::string attribute;
  std::optional<Value> value;
  Action action = Action::kPut;
};

// Checks the number of conditions for a ConditionalOperator. To be called also
// when there are no conditions at all.
[[nodiscard]] Result<void> CheckConditionalOperator(std::optional<ConditionalOperator> conditional_operator,
                                                    std::size_t conditions);

// QueryFilter or ScanFilter. Not for an empty list.
[[nodiscard]] Result<Condition> BindFilter(std::span<const AttributeCondition> conditions,
                                           std::optional<ConditionalOperator> conditional_operator);
// Expected. Not for an empty list.
[[nodiscard]] Result<Condition> BindExpected(std::span<const ExpectedAttribute> expected,
                                             std::optional<ConditionalOperator> conditional_operator);
// KeyConditions. KeyCondition::Match refuses the operators that no key supports.
[[nodiscard]] Result<KeyCondition> BindKeyConditions(std::span<const AttributeCondition> conditions);

// AttributeUpdates. May be empty.
[[nodiscard]] Result<Update> BindUpdates(std::span<const AttributeUpdate> updates);

}  // namespace taula::expression
