// The enumerations of the wire API: their texts, and the order in which
// Amazon's messages list them.
#pragma once

#include <optional>
#include <string_view>

#include "api/constraints.h"
#include "api/decode_faults.h"
#include "taula/requests.h"

namespace taula::api {

[[nodiscard]] std::optional<ReturnValues> ParseReturnValues(std::string_view text);
[[nodiscard]] std::optional<ReturnConsumedCapacity> ParseReturnConsumedCapacity(std::string_view text);
[[nodiscard]] std::optional<ReturnItemCollectionMetrics> ParseReturnItemCollectionMetrics(std::string_view text);
[[nodiscard]] std::optional<ReturnOnConditionFailure> ParseReturnOnConditionFailure(std::string_view text);
[[nodiscard]] std::optional<Select> ParseSelect(std::string_view text);
[[nodiscard]] std::optional<ConditionalOperator> ParseConditionalOperator(std::string_view text);
[[nodiscard]] std::optional<AttributeAction> ParseAttributeAction(std::string_view text);

inline constexpr std::string_view kReturnValuesSet = "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]";
inline constexpr std::string_view kReturnConsumedCapacitySet = "[INDEXES, TOTAL, NONE]";
inline constexpr std::string_view kReturnItemCollectionMetricsSet = "[SIZE, NONE]";
inline constexpr std::string_view kReturnOnConditionFailureSet = "[ALL_OLD, NONE]";
inline constexpr std::string_view kSelectSet = "[SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]";
inline constexpr std::string_view kConditionalOperatorSet = "[OR, AND]";
inline constexpr std::string_view kComparisonOperatorSet =
    "[IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]";
inline constexpr std::string_view kAttributeActionSet = "[ADD, PUT, DELETE]";

// Amazon's newer words for two of them, its slips included.
inline constexpr std::string_view kReturnValuesViolation =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, "
    "NONE]";
inline constexpr std::string_view kConditionalOperatorViolation =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";

// Adds the violation of a member whose text is unknown, with its text in the
// message.
void CheckKnown(const DecodeFaults& faults, Member member, Constraints& constraints);

}  // namespace taula::api
