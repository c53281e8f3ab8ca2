// From an operation that reads, and its parameters, to the body of a Query, a
// Scan or the projection of a GetItem.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "design/failure.h"
#include "design/key_plan.h"
#include "design/model.h"
#include "design/placeholders.h"
#include "design/terms.h"

namespace taula::design {

struct ReadRequest {
  std::string operation;  // "Query" or "Scan"
  std::string table;
  KeyPlan plan;
  KeyRanges ranges;
  std::string key_condition;
  std::string filter;
  std::string projection;
  Placeholders placeholders;
  bool descending = false;
  bool consistent = false;

  // DynamoDB's JSON; `limit` is how many items are looked at.
  [[nodiscard]] std::string Body(std::int64_t limit, const std::optional<Item>& start_key) const;
  // The item stands inside of the ranges, which a request may have to widen.
  [[nodiscard]] bool Holds(ValueView item) const;
};

// For query, verify and scan, and for update and delete with `by`. `limit`
// counts nothing here.
[[nodiscard]] Outcome<ReadRequest> CompileRead(const Design& design, std::string_view stage, const Operation& operation,
                                               const Scope& scope);

// The attributes to read for `returns`: those, keys and marks. Empty for all.
[[nodiscard]] std::string CompileProjection(const Design& design, const Operation& operation,
                                            Placeholders& placeholders);

// Empty without a condition.
[[nodiscard]] Outcome<std::string> CompileCondition(const Design& design, const Operation& operation,
                                                    const std::optional<ConditionText>& condition, const Scope& scope,
                                                    Placeholders& placeholders);

// That an item of the entity was not deleted softly; empty where that is never.
[[nodiscard]] std::string NotDeleted(const Entity& entity, Placeholders& placeholders);

}  // namespace taula::design
