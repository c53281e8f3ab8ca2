// Finds what is wrong with the values of a request that was made in process,
// so that it goes through the same checks as one that came over the wire.
#pragma once

#include "api/decode_faults.h"
#include "api/value_validation.h"
#include "taula/requests.h"

namespace taula::api {

inline void NoteFaults(const Item& item, Member member, DecodeFaults& faults) {
  faults.AddInvalidValue(member, FindFault(item));
}

inline void NoteFaults(const std::optional<AttributeValues>& values, DecodeFaults& faults) {
  if (!values) return;
  for (const auto& [placeholder, value] : *values) {
    faults.AddInvalidValue(Member::kExpressionAttributeValues, FindFault(value.view()));
  }
}

inline void NoteFaults(const std::optional<std::vector<Value>>& values, Member member, DecodeFaults& faults) {
  if (!values) return;
  for (const Value& value : *values) faults.AddInvalidValue(member, FindFault(value.view()));
}

inline void NoteFaults(const std::optional<AttributeConditions>& conditions, Member member, DecodeFaults& faults) {
  if (!conditions) return;
  for (const auto& [attribute, condition] : *conditions) NoteFaults(condition.operands, member, faults);
}

inline void NoteFaults(const std::optional<ExpectedAttributes>& expected, DecodeFaults& faults) {
  if (!expected) return;
  for (const auto& [attribute, condition] : *expected) {
    if (condition.value) faults.AddInvalidValue(Member::kExpected, FindFault(condition.value->view()));
    NoteFaults(condition.operands, Member::kExpected, faults);
  }
}

inline void NoteFaults(const std::optional<AttributeUpdates>& updates, DecodeFaults& faults) {
  if (!updates) return;
  for (const auto& [attribute, update] : *updates) {
    if (update.value) faults.AddInvalidValue(Member::kAttributeUpdates, FindFault(update.value->view()));
  }
}

}  // namespace taula::api
