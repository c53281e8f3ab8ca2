#include "expression/key_condition.h"

#include <algorithm>
#include <string>

#include "expression/bound_syntax.h"
#include "expression/compare.h"
#include "expression/operand_check.h"
#include "expression/parser.h"
#include "value/key_value.h"
#include "value/size.h"

namespace taula::expression {
namespace {

using Clause = KeyCondition::Clause;

// The operator with its operands the other way round.
KeyOperator Mirrored(KeyOperator op) {
  switch (op) {
    case KeyOperator::kLess:
      return KeyOperator::kGreater;
    case KeyOperator::kLessOrEqual:
      return KeyOperator::kGreaterOrEqual;
    case KeyOperator::kGreater:
      return KeyOperator::kLess;
    case KeyOperator::kGreaterOrEqual:
      return KeyOperator::kLessOrEqual;
    default:
      return op;
  }
}

// Takes a condition apart into one clause for each key attribute.
class ClauseReader {
 public:
  ClauseReader(BoundSyntax& bound, Bindings& bindings, ConditionsPerKey per_key)
      : bound_(bound), bindings_(bindings), per_key_(per_key) {}

  // The shape of clauses before their operands, clause by clause as written.
  Problem Read(NodeId id) {
    const Node& node = bound_.node(id);
    if (node.op == Operator::kAnd) {
      for (const NodeId operand : bound_.operands(node)) {
        if (Problem problem = Read(operand)) return problem;
      }
      return std::nullopt;
    }
    const KeyOperator op = KeyOperatorOf(node.op);
    if (node.op != Operator::kOr && node.op != Operator::kNot) {
      if (Problem problem = bound_.Resolve(id, bindings_)) return problem;
      if (Problem problem = CheckConditionLeaf(bound_, id)) return problem;
    }
    if (op == KeyOperator::kNotIndexable) {
      return "Invalid operator used in KeyConditionExpression: " + std::string(NameOf(node.op));
    }
    return ReadClause(node, op);
  }

  std::vector<Clause> Take() { return std::move(clauses_); }

 private:
  Problem ReadClause(const Node& node, KeyOperator op) {
    const std::span<const NodeId> operands = bound_.operands(node);
    const bool path_first = bound_.node(operands[0]).op == Operator::kPath;
    if (!path_first && (op == KeyOperator::kBetween || op == KeyOperator::kBeginsWith)) {
      return "Invalid condition in KeyConditionExpression: " + std::string(NameOf(node.op)) +
             " operator must have the key attribute as its first operand";
    }
    std::optional<std::string_view> attribute;
    std::vector<ValueView> values;
    for (const NodeId id : operands) {
      const Node& operand = bound_.node(id);
      if (operand.op == Operator::kValue) {
        values.push_back(bound_.value(operand));
        continue;
      }
      if (operand.op != Operator::kPath) return "KeyConditionExpressions cannot contain nested operations";
      if (attribute) {
        return "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition";
      }
      if (operand.count > 1) return "KeyConditionExpressions cannot have conditions on nested attributes";
      attribute = bound_.top_level_name(operand);
    }
    if (!attribute) return "Invalid condition in KeyConditionExpression: No key attribute specified";
    if (per_key_ == ConditionsPerKey::kOne &&
        std::ranges::find(clauses_, *attribute, &Clause::attribute) != clauses_.end()) {
      return "KeyConditionExpressions must only contain one condition per key";
    }
    clauses_.push_back({*attribute, path_first ? op : Mirrored(op), values[0],
                        values.size() > 1 ? std::optional(values[1]) : std::nullopt});
    return std::nullopt;
  }

  BoundSyntax& bound_;
  Bindings& bindings_;
  ConditionsPerKey per_key_;
  std::vector<Clause> clauses_;
};

// What every clause must fulfil, on whichever key attribute it is.
Result<void> CheckClause(const Clause& clause, const KeyAttribute& attribute) {
  if (clause.op == KeyOperator::kNotIndexable) {
    return ValidationError("Attempted conditional constraint is not an indexable operation");
  }
  for (const std::optional<ValueView>& operand : {clause.first, clause.second}) {
    if (!operand) continue;
    if (operand->type() != attribute.type) {
      return ValidationError(
          "One or more parameter values were invalid: Condition parameter type does not match schema type");
    }
    if (Result<void> checked = value::CheckNotEmpty(clause.attribute, *operand); !checked) return checked;
  }
  return {};
}

std::size_t SizeOf(std::span<const ValueView> parts) {
  std::size_t size = 0;
  for (const ValueView part : parts) size += value::ValueSize(part);
  return size;
}

Result<void> CheckSizes(const KeyLookup& lookup) {
  if (Result<void> checked = value::CheckPartitionKeySize(SizeOf(lookup.partition)); !checked) return checked;
  std::size_t range_size = 0;
  if (lookup.range) {
    range_size = value::ValueSize(lookup.range->first);
    if (lookup.range->second) range_size = std::max(range_size, value::ValueSize(*lookup.range->second));
  }
  return value::CheckSortKeySize(SizeOf(lookup.sort_equal) + range_size);
}

bool Fulfils(ValueView value, const KeyLookup::Range& range) {
  switch (range.op) {
    case KeyOperator::kLess:
      return Compare(value, range.first) < 0;
    case KeyOperator::kLessOrEqual:
      return Compare(value, range.first) <= 0;
    case KeyOperator::kGreater:
      return Compare(value, range.first) > 0;
    case KeyOperator::kGreaterOrEqual:
      return Compare(value, range.first) >= 0;
    case KeyOperator::kBetween:
      return Compare(range.first, value) <= 0 && Compare(value, *range.second) <= 0;
    case KeyOperator::kBeginsWith:
      return BeginsWith(value, range.first);
    case KeyOperator::kEqual:
    case KeyOperator::kNotIndexable:
      break;
  }
  return false;
}

// Holds clauses against a key schema.
class SchemaMatcher {
 public:
  SchemaMatcher(std::span<const Clause> clauses, const KeySchema& schema) : clauses_(clauses), schema_(schema) {}

  Result<KeyLookup> Match() {
    const std::size_t attributes = schema_.partition.size() + schema_.sort.size();
    if (clauses_.size() > attributes) {
      return ValidationError("The number of query conditions (" + std::to_string(clauses_.size()) +
                             ") exceeds the number of key attributes defined in the schema (" +
                             std::to_string(attributes) + ")");
    }
    if (Result<void> partition = MatchPartition(); !partition) return std::unexpected(partition.error());
    if (Result<void> sort = MatchSort(); !sort) return std::unexpected(sort.error());
    if (Result<void> sizes = CheckSizes(lookup_); !sizes) return std::unexpected(sizes.error());
    return std::move(lookup_);
  }

 private:
  [[nodiscard]] const Clause* Find(const KeyAttribute& attribute) const {
    const auto found = std::ranges::find(clauses_, attribute.name, &Clause::attribute);
    return found == clauses_.end() ? nullptr : &*found;
  }

  Result<void> MatchPartition() {
    for (const KeyAttribute& attribute : schema_.partition) {
      const Clause* clause = Find(attribute);
      if (clause == nullptr) return Missed(attribute);
      if (Result<void> checked = CheckClause(*clause, attribute); !checked) return checked;
      if (clause->op != KeyOperator::kEqual) return ValidationError("Query key condition not supported");
      lookup_.partition.push_back(*clause->first);
    }
    return {};
  }

  Result<void> MatchSort() {
    // Clauses that are not on the partition key must all find their attribute.
    std::size_t left = clauses_.size() - schema_.partition.size();
    for (std::size_t i = 0; i < schema_.sort.size() && left > 0; ++i) {
      const Clause* clause = Find(schema_.sort[i]);
      if (clause == nullptr) continue;
      if (Result<void> checked = CheckClause(*clause, schema_.sort[i]); !checked) return checked;
      if (Result<void> before = CheckEqualBefore(i); !before) return before;
      --left;
      if (clause->op == KeyOperator::kEqual) {
        lookup_.sort_equal.push_back(*clause->first);
      } else {
        lookup_.range = KeyLookup::Range{clause->op, *clause->first, clause->second};
      }
    }
    if (left == 0) return {};
    for (const KeyAttribute& attribute : schema_.sort) {
      if (Find(attribute) == nullptr) return Missed(attribute);
    }
    return ValidationError("Query key condition not supported");
  }

  // Sort attributes are used from the left, all but the last one with "=".
  Result<void> CheckEqualBefore(std::size_t sort_attribute) {
    std::string unequal;
    for (const KeyAttribute& earlier : schema_.sort.first(sort_attribute)) {
      const Clause* clause = Find(earlier);
      if (clause != nullptr && clause->op == KeyOperator::kEqual) continue;
      if (!unequal.empty()) unequal += ", ";
      unequal += earlier.name;
    }
    if (unequal.empty()) return {};
    return ValidationError("RANGE key attributes " + unequal +
                           " must have equality conditions specified in the query because a condition is present on "
                           "key attribute " +
                           std::string(schema_.sort[sort_attribute].name));
  }

  static std::unexpected<Error> Missed(const KeyAttribute& attribute) {
    return ValidationError("Query condition missed key schema element: " + std::string(attribute.name));
  }

  std::span<const Clause> clauses_;
  const KeySchema& schema_;
  KeyLookup lookup_;
};

// Takes the clauses on these attributes; returns how many they are.
Result<std::size_t> Collect(std::span<const Clause> clauses, std::span<const KeyAttribute> attributes,
                            Result<void> (&check_size)(std::size_t), std::vector<KeyRanges::Ranges>& ranges) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    for (const Clause& clause : clauses) {
      if (clause.attribute != attributes[i].name) continue;
      Result<void> checked = CheckClause(clause, attributes[i]);
      if (checked) checked = check_size(value::ValueSize(*clause.first));
      if (checked && clause.second) checked = check_size(value::ValueSize(*clause.second));
      if (!checked) return std::unexpected(std::move(checked.error()));
      ranges[i].push_back({clause.op, *clause.first, clause.second});
      ++count;
    }
  }
  return count;
}

}  // namespace

KeyOperator KeyOperatorOf(Operator op) {
  switch (op) {
    case Operator::kEqual:
      return KeyOperator::kEqual;
    case Operator::kLess:
      return KeyOperator::kLess;
    case Operator::kLessOrEqual:
      return KeyOperator::kLessOrEqual;
    case Operator::kGreater:
      return KeyOperator::kGreater;
    case Operator::kGreaterOrEqual:
      return KeyOperator::kGreaterOrEqual;
    case Operator::kBetween:
      return KeyOperator::kBetween;
    case Operator::kBeginsWith:
      return KeyOperator::kBeginsWith;
    default:
      return KeyOperator::kNotIndexable;
  }
}

bool KeyLookup::MatchesSort(std::span<const ValueView> sort) const {
  for (std::size_t i = 0; i < sort_equal.size(); ++i) {
    if (!(sort[i] == sort_equal[i])) return false;
  }
  return !range || Fulfils(sort[sort_equal.size()], *range);
}

Result<KeyCondition> KeyCondition::Bind(SyntaxPtr syntax, Bindings& bindings, ConditionsPerKey per_key) {
  BoundSyntax bound(syntax);
  ClauseReader reader(bound, bindings, per_key);
  if (const Problem problem = reader.Read(syntax->root())) {
    return InvalidExpression(ExpressionKind::kKeyCondition, *problem);
  }
  return KeyCondition(reader.Take(), std::move(syntax));
}

Result<KeyLookup> KeyCondition::Match(const KeySchema& schema) const { return SchemaMatcher(clauses_, schema).Match(); }

Result<KeyRanges> KeyCondition::MatchRanges(const KeySchema& schema) const {
  KeyRanges matched{.partition = std::vector<KeyRanges::Ranges>(schema.partition.size()),
                    .sort = std::vector<KeyRanges::Ranges>(schema.sort.size())};
  Result<std::size_t> count = Collect(clauses_, schema.partition, value::CheckPartitionKeySize, matched.partition);
  if (!count) return std::unexpected(std::move(count.error()));
  const std::size_t on_partition = *count;
  count = Collect(clauses_, schema.sort, value::CheckSortKeySize, matched.sort);
  if (!count) return std::unexpected(std::move(count.error()));
  // One that is on no attribute of the key is refused as without the extension.
  if (clauses_.empty() || on_partition + *count != clauses_.size()) {
    Result<KeyLookup> refused = Match(schema);
    return std::unexpected(refused ? ValidationError("Query key condition not supported").error() : refused.error());
  }
  return matched;
}

}  // namespace taula::expression
