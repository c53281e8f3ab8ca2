// What was found wrong with members of a request while it was being decoded.
// Amazon reports such things in an order that differs from operation to
// operation, so they are kept until their turn comes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/constraints.h"
#include "codec/value_fault.h"
#include "taula/error.h"

namespace taula::api {

enum class Member : std::uint8_t {
  kTableName,
  kItem,
  kKey,
  kExpressionAttributeValues,
  kConditionExpression,
  kUpdateExpression,
  kReturnValues,
  kReturnConsumedCapacity,
  kReturnItemCollectionMetrics,
  kReturnValuesOnConditionCheckFailure,
  kExpected,
  kConditionalOperator,
  kAttributeUpdates,
  kSelect,
  kExclusiveStartKey,
  kKeyConditions,
  kFilter,  // QueryFilter or ScanFilter
  kRequestItems,
  kTransactItems,
  kStatement,
  kParameters,
  kStatements,  // or TransactStatements
};

// Empty, and without cost, for a request that has no faults.
class DecodeFaults {
 public:
  // A required member is not there.
  void AddMissing(Member member) { missing_.push_back(member); }
  [[nodiscard]] bool Missing(Member member) const {
    for (const Member missing : missing_) {
      if (missing == member) return true;
    }
    return false;
  }

  // The text is none of those that the member may have.
  void AddUnknown(Member member, std::string text) { unknown_.emplace_back(member, std::move(text)); }
  [[nodiscard]] const std::string* Unknown(Member member) const {
    for (const auto& [unknown, text] : unknown_) {
      if (unknown == member) return &text;
    }
    return nullptr;
  }

  // An attribute value in the member is not one that DynamoDB can keep. Only
  // the first of a member counts.
  void AddInvalidValue(Member member, std::optional<codec::ValueFault> fault) {
    if (fault && InvalidValue(member) == nullptr) invalid_values_.emplace_back(member, *std::move(fault));
  }
  [[nodiscard]] const codec::ValueFault* InvalidValue(Member member) const {
    for (const auto& [invalid, fault] : invalid_values_) {
      if (invalid == member) return &fault;
    }
    return nullptr;
  }
  // The same as a result.
  [[nodiscard]] Result<void> CheckValues(Member member) const {
    if (const codec::ValueFault* fault = InvalidValue(member)) return ValidationError(fault->message);
    return {};
  }

  // Violations inside of nested structures.
  [[nodiscard]] Constraints& nested() { return nested_; }
  [[nodiscard]] const Constraints& nested() const { return nested_; }

 private:
  std::vector<Member> missing_;
  std::vector<std::pair<Member, std::string>> unknown_;
  std::vector<std::pair<Member, codec::ValueFault>> invalid_values_;
  Constraints nested_;
};

// A request and what is wrong with it.
template <typename Request>
struct Decoded {
  Request request;
  DecodeFaults faults;
};

}  // namespace taula::api
