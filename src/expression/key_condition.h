// Which keys a Query wants: KeyConditionExpression and KeyConditions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "expression/bindings.h"
#include "expression/syntax.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::expression {

struct KeyAttribute {
  std::string_view name;
  Type type;  // S, N or B
};

// The key of a table or an index. Order matters: the attributes of the sort
// key order the items one after another.
struct KeySchema {
  std::span<const KeyAttribute> partition;  // 1 to 4
  std::span<const KeyAttribute> sort;       // 0 to 4
};

enum class KeyOperator : std::uint8_t {
  kEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kBeginsWith,
  kNotIndexable,  // legacy operators that no key supports
};

// What a condition's operator is on a key; kNotIndexable when it is for filters
// only.
[[nodiscard]] KeyOperator KeyOperatorOf(Operator op);

// What is left of a key condition once it is held against a key schema. The
// values belong to the request.
struct KeyLookup {
  struct Range {
    KeyOperator op;  // neither kEqual nor kNotIndexable
    ValueView first;
    std::optional<ValueView> second;  // the upper bound of kBetween
  };

  std::vector<ValueView> partition;   // one for each partition attribute
  std::vector<ValueView> sort_equal;  // for the leading sort attributes
  std::optional<Range> range;         // on the sort attribute behind those

  // Whether a sort key's values, by schema order, fulfil the condition.
  [[nodiscard]] bool MatchesSort(std::span<const ValueView> sort) const;
};

// The same with any number of conditions on each attribute, by schema order, of
// which an item has to fulfil all: what the range-queries extension takes.
struct KeyRanges {
  // Here also kEqual.
  using Ranges = std::vector<KeyLookup::Range>;

  std::vector<Ranges> partition;
  std::vector<Ranges> sort;
};

// How many conditions an attribute may have: one, or any number as an extension.
enum class ConditionsPerKey : std::uint8_t { kOne, kAny };

class KeyCondition {
 public:
  // One attribute's condition.
  struct Clause {
    std::string_view attribute;
    KeyOperator op;
    std::optional<ValueView> first;   // all but kNotIndexable have it
    std::optional<ValueView> second;  // the upper bound of kBetween
  };

  // Makes the checks that need no table.
  [[nodiscard]] static Result<KeyCondition> Bind(SyntaxPtr syntax, Bindings& bindings,
                                                 ConditionsPerKey per_key = ConditionsPerKey::kOne);

  explicit KeyCondition(std::vector<Clause> clauses, SyntaxPtr syntax = nullptr)
      : syntax_(std::move(syntax)), clauses_(std::move(clauses)) {}

  // Makes the checks that need the key schema: which attributes, of what type,
  // with which operators, empty and oversized values.
  [[nodiscard]] Result<KeyLookup> Match(const KeySchema& schema) const;
  // For the extension: any conditions on the key's attributes, and at least one.
  [[nodiscard]] Result<KeyRanges> MatchRanges(const KeySchema& schema) const;

  [[nodiscard]] std::span<const Clause> clauses() const { return clauses_; }

 private:
  SyntaxPtr syntax_;  // keeps the names alive
  std::vector<Clause> clauses_;
};

}  // namespace taula::expression
