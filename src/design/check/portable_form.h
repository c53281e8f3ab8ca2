// What to do instead of a query that Amazon's service refuses.
#pragma once

#include <string>
#include <string_view>

#include "design/key_plan.h"
#include "design/model.h"

namespace taula::design {

// "createdAt" and "created_at" as they stand in keys: "CREATED_AT".
[[nodiscard]] std::string KeyWord(std::string_view name);

// Whether the operation gives a beginning or a range of the partition key, and
// not of the sort key over all partitions.
[[nodiscard]] bool AsksForPartitions(const Design& design, const Operation& operation, const KeyPlan& plan);

// Sentences: an index that would serve the operation, and how to query it.
[[nodiscard]] std::string PortableForm(const Design& design, const Operation& operation, const KeyPlan& plan);

// Templates of an index that serves what the operation asks for: "GSI2 with
// GSI2PK: \"POST#STATUS#{status}\" and GSI2SK: \"{createdAt}\"".
[[nodiscard]] std::string IndexFor(const Design& design, const Operation& operation);

}  // namespace taula::design
