#include "api/key_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/key_range.h"
#include "expression/compare.h"
#include "value/key_value.h"
#include "value/map_builder.h"
#include "value/size.h"
#include "value/type_name.h"

namespace taula::api {
namespace {

using expression::KeyOperator;
using expression::Node;
using expression::NodeId;
using expression::Operator;

// How many stretches one SELECT may read.
constexpr std::size_t kReadsMax = 50;

// The same comparison with its operands exchanged.
Operator Mirrored(Operator op) {
  switch (op) {
    case Operator::kLess:
      return Operator::kGreater;
    case Operator::kLessOrEqual:
      return Operator::kGreaterOrEqual;
    case Operator::kGreater:
      return Operator::kLess;
    case Operator::kGreaterOrEqual:
      return Operator::kLessOrEqual;
    default:
      return op;
  }
}

bool IsComparison(Operator op) {
  return op == Operator::kEqual || op == Operator::kLess || op == Operator::kLessOrEqual || op == Operator::kGreater ||
         op == Operator::kGreaterOrEqual;
}

base::KeyRange Intersection(const base::KeyRange& a, const base::KeyRange& b) {
  const bool a_ends_first = b.end.empty() || (!a.end.empty() && a.end < b.end);
  return {std::max(a.begin, b.begin), a_ends_first ? a.end : b.end};
}

bool IsEmptyRange(const base::KeyRange& range) { return !range.end.empty() && range.begin >= range.end; }

// Amazon lists a handful of names as a Java set keeps them: by which of sixteen
// buckets their hash falls into, and within one as they came.
std::uint32_t BucketOf(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char c : name) hash = 31 * hash + static_cast<unsigned char>(c);
  return (hash ^ (hash >> 16U)) % 16;
}

std::unexpected<Error> Overlapping() {
  return ValidationError("Overlapping conditions with range keys are not supported in where clause");
}

}  // namespace

KeyPlan::KeyPlan(const expression::Condition& where, const catalog::KeySchema& key)
    : where_(where.bound()), key_(key), keyed_(NamesPartition(where.bound().syntax().root())) {
  if (!keyed_) return;
  branches_ = Expand(where_.syntax().root());
  keyed_ = std::ranges::none_of(branches_, &Branch::contradictory);
}

bool KeyPlan::IsKey(NodeId path, bool of_partition) const {
  const Node& node = where_.node(path);
  if (node.op != Operator::kPath || node.count != 1) return false;
  const std::vector<catalog::KeyAttribute>& attributes = of_partition ? key_.partition : key_.sort;
  return !attributes.empty() && where_.top_level_name(node) == attributes[0].name;
}

// What one comparison or function says of the key; nothing when it says nothing
// that a key can be read by.
std::optional<KeyPlan::Branch> KeyPlan::KeyConditionOf(NodeId id) const {
  const Node& node = where_.node(id);
  std::span<const NodeId> operands = where_.operands(node);
  Operator op = node.op;
  std::array<NodeId, 2> exchanged;
  if (IsComparison(op) && where_.node(operands[0]).op == Operator::kValue) {
    exchanged = {operands[1], operands[0]};
    operands = exchanged;
    op = Mirrored(op);
  }
  if (!IsComparison(op) && op != Operator::kBetween && op != Operator::kBeginsWith) return std::nullopt;
  for (const NodeId operand : operands.subspan(1)) {
    if (where_.node(operand).op != Operator::kValue) return std::nullopt;
  }
  const ValueView first = where_.value(where_.node(operands[1]));
  Branch branch;
  if (op == Operator::kEqual && IsKey(operands[0], true)) {
    branch.partition = first;
    return branch;
  }
  if (!IsKey(operands[0], false)) return std::nullopt;
  Range range{expression::KeyOperatorOf(op), first, std::nullopt};
  if (op == Operator::kBetween) range.second = where_.value(where_.node(operands[2]));
  branch.sort.push_back(range);
  return branch;
}

bool KeyPlan::NamesPartition(NodeId id) const {
  const Node& node = where_.node(id);
  const std::span<const NodeId> operands = where_.operands(node);
  switch (node.op) {
    case Operator::kAnd:
      return std::ranges::any_of(operands, [this](NodeId operand) { return NamesPartition(operand); });
    case Operator::kOr:
      return !operands.empty() &&
             std::ranges::all_of(operands, [this](NodeId operand) { return NamesPartition(operand); });
    case Operator::kIn:
      return IsKey(operands[0], true) && std::ranges::all_of(operands.subspan(1), [this](NodeId operand) {
               return where_.node(operand).op == Operator::kValue;
             });
    case Operator::kEqual: {
      const std::optional<Branch> branch = KeyConditionOf(id);
      return branch && branch->partition;
    }
    default:
      return false;
  }
}

// Whether an OR has to be taken apart: one of its parts says something of the
// key that can be read by.
bool KeyPlan::HasKeyCondition(NodeId id) const {
  const Node& node = where_.node(id);
  if (node.op == Operator::kAnd || node.op == Operator::kOr) {
    return std::ranges::any_of(where_.operands(node), [this](NodeId operand) { return HasKeyCondition(operand); });
  }
  if (node.op == Operator::kNot || node.op == Operator::kPath || node.op == Operator::kValue) return false;
  if (node.op == Operator::kIn) return ExpandIn(id).front().filters.empty();
  return KeyConditionOf(id).has_value();
}

void KeyPlan::CollectNames(NodeId id, std::vector<std::string_view>& names) const {
  const Node& node = where_.node(id);
  if (node.op == Operator::kValue) return;
  if (node.op == Operator::kPath) {
    const std::string_view name = where_.top_level_name(node);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    return;
  }
  for (const NodeId operand : where_.operands(node)) CollectNames(operand, names);
}

bool KeyPlan::MentionsKey(NodeId id) const {
  std::vector<std::string_view> names;
  CollectNames(id, names);
  return std::ranges::any_of(names, [this](std::string_view name) { return key_.Names(name); });
}

KeyPlan::Branch KeyPlan::FilterBy(NodeId id) const {
  Branch branch;
  branch.filters.push_back(id);
  branch.filters_by_key = MentionsKey(id);
  return branch;
}

KeyPlan::Branches KeyPlan::ExpandIn(NodeId id) const {
  const std::span<const NodeId> operands = where_.operands(where_.node(id));
  const bool of_partition = IsKey(operands[0], true);
  if (!of_partition && !IsKey(operands[0], false)) return {FilterBy(id)};
  Branches branches;
  for (const NodeId candidate : operands.subspan(1)) {
    if (where_.node(candidate).op != Operator::kValue) return {FilterBy(id)};
    Branch& branch = branches.emplace_back();
    const ValueView value = where_.value(where_.node(candidate));
    if (of_partition) {
      branch.partition = value;
    } else {
      branch.sort.push_back({KeyOperator::kEqual, value, std::nullopt});
    }
  }
  if (branches.empty()) return {FilterBy(id)};
  return branches;
}

KeyPlan::Branches KeyPlan::Expand(NodeId id) const {
  const Node& node = where_.node(id);
  if (node.op == Operator::kAnd) return ExpandAll(node);
  if (node.op == Operator::kOr && HasKeyCondition(id)) return ExpandAny(node);
  if (node.op == Operator::kIn) return ExpandIn(id);
  if (node.op != Operator::kOr && node.op != Operator::kNot) {
    if (std::optional<Branch> branch = KeyConditionOf(id)) return {*std::move(branch)};
  }
  return {FilterBy(id)};
}

// Every way to fulfil the first with every way to fulfil the second, and so on;
// no more of them than are needed to see that they are too many.
KeyPlan::Branches KeyPlan::ExpandAll(const Node& all) const {
  Branches branches(1);
  for (const NodeId operand : where_.operands(all)) {
    const Branches others = Expand(operand);
    Branches products;
    for (const Branch& left : branches) {
      for (const Branch& right : others) {
        if (products.size() > kReadsMax) break;
        Branch& both = products.emplace_back(left);
        if (right.partition) {
          both.contradictory = both.contradictory || (both.partition && !(*both.partition == *right.partition));
          both.partition = right.partition;
        }
        both.sort.insert(both.sort.end(), right.sort.begin(), right.sort.end());
        both.filters.insert(both.filters.end(), right.filters.begin(), right.filters.end());
        both.filters_by_key = both.filters_by_key || right.filters_by_key;
        both.contradictory = both.contradictory || right.contradictory;
      }
    }
    branches = std::move(products);
  }
  return branches;
}

KeyPlan::Branches KeyPlan::ExpandAny(const Node& any) const {
  Branches branches;
  for (const NodeId operand : where_.operands(any)) {
    Branches others = Expand(operand);
    std::ranges::move(others, std::back_inserter(branches));
    if (branches.size() > kReadsMax) break;
  }
  return branches;
}

bool KeyPlan::filtered() const {
  return !keyed_ || std::ranges::any_of(branches_, [](const Branch& branch) { return !branch.filters.empty(); });
}

std::optional<Item> KeyPlan::OnlyKey() const {
  if (!keyed_ || branches_.size() != 1 || !branches_[0].filters.empty()) return std::nullopt;
  const Branch& branch = branches_[0];
  std::string key;
  value::MapBuilder map(key);
  map.Add(key_.partition[0].name, *branch.partition);
  if (key_.sort.empty() != branch.sort.empty()) return std::nullopt;
  for (const Range& range : branch.sort) {
    if (range.op != KeyOperator::kEqual || !(range.first == branch.sort[0].first)) return std::nullopt;
  }
  if (!branch.sort.empty()) map.Add(key_.sort[0].name, branch.sort[0].first);
  map.Finish();
  return Item::FromEncoded(std::move(key));
}

std::vector<std::string_view> KeyPlan::UnprojectedFilters(const catalog::Table& table,
                                                          const catalog::Index& index) const {
  // Of several branches that all have some, the last by partition is told.
  std::vector<const Branch*> ordered;
  for (const Branch& branch : branches_) ordered.push_back(&branch);
  std::ranges::stable_sort(
      ordered, [](const Branch* a, const Branch* b) { return expression::Compare(*a->partition, *b->partition) < 0; });
  std::vector<std::string_view> names;
  for (const Branch* const branch : ordered) {
    names.clear();
    for (const NodeId filter : branch->filters) CollectNames(filter, names);
    std::erase_if(names, [&](std::string_view name) { return index.Projects(name, table.key); });
    if (names.empty()) return {};
  }
  std::ranges::stable_sort(names, {}, BucketOf);
  return names;
}

Result<void> KeyPlan::CheckTypes() const {
  for (const Branch& branch : branches_) {
    Result<void> ok = CheckKeyType(key_.partition[0], *branch.partition);
    for (const Range& range : branch.sort) {
      if (ok) ok = CheckKeyType(key_.sort[0], range.first);
      if (ok && range.second) ok = CheckKeyType(key_.sort[0], *range.second);
    }
    if (ok) ok = value::CheckNotEmpty(key_.partition[0].name, *branch.partition);
    if (ok) ok = value::CheckPartitionKeySize(value::ValueSize(*branch.partition));
    if (!ok) return ok;
  }
  return {};
}

KeyRead KeyPlan::ReadOf(const Branch& branch, codec::SpaceId space) const {
  expression::KeyLookup lookup;
  lookup.partition.push_back(*branch.partition);
  KeyRead read;
  read.range = QueryRange(space, lookup);
  const std::string prefix = read.range.begin;
  read.whole_key = key_.sort.empty();
  for (const Range& range : branch.sort) {
    read.whole_key = read.whole_key || range.op == KeyOperator::kEqual;
    read.range = Intersection(read.range, RangeWithin(prefix, range));
  }
  codec::AppendKeyPart(read.partition, *branch.partition);
  return read;
}

Result<std::vector<KeyRead>> KeyPlan::Reads(codec::SpaceId space) const {
  if (branches_.size() > kReadsMax) {
    return ValidationError("Too many decomposed read operations for a given query.");
  }
  if (Result<void> ok = CheckTypes(); !ok) return std::unexpected(std::move(ok.error()));
  std::vector<KeyRead> reads;
  std::vector<std::string> mixed;  // partitions of which one branch filters by the key
  for (const Branch& branch : branches_) {
    const KeyRead& read = reads.emplace_back(ReadOf(branch, space));
    if (branch.filters_by_key) mixed.push_back(read.partition);
  }
  std::ranges::stable_sort(reads, [](const KeyRead& a, const KeyRead& b) {
    return std::tie(a.partition, a.range.begin) < std::tie(b.partition, b.range.begin);
  });
  std::vector<KeyRead> distinct;
  for (KeyRead& read : reads) {
    if (IsEmptyRange(read.range)) continue;
    KeyRead* const last = distinct.empty() ? nullptr : &distinct.back();
    if (last == nullptr || last->partition != read.partition) {
      distinct.push_back(std::move(read));
    } else if (std::ranges::find(mixed, read.partition) != mixed.end()) {
      // Amazon answers these with what any of the branches selects: the items
      // from the first to the last of them, of which the filter keeps those.
      if (!last->range.end.empty() && (read.range.end.empty() || read.range.end > last->range.end)) {
        last->range.end = read.range.end;
      }
      last->whole_key = false;
    } else if (last->range.end.empty() || read.range.begin < last->range.end) {
      return Overlapping();
    } else {
      distinct.push_back(std::move(read));
    }
  }
  return distinct;
}

NamedKey FindNamedKey(const expression::Condition& where, const catalog::KeySchema& key) {
  const expression::BoundSyntax& bound = where.bound();
  // AND is flat but for what stands in parentheses.
  std::vector<NodeId> open = {bound.syntax().root()};
  std::vector<std::pair<std::string_view, ValueView>> equalities;
  NamedKey named;
  while (!open.empty()) {
    const NodeId id = open.front();
    open.erase(open.begin());
    const Node& node = bound.node(id);
    const std::span<const NodeId> operands = bound.operands(node);
    if (node.op == Operator::kAnd) {
      open.insert(open.begin(), operands.begin(), operands.end());
      continue;
    }
    bool is_key = false;
    if (node.op == Operator::kEqual) {
      for (const bool path_first : {true, false}) {
        const Node& path = bound.node(operands[path_first ? 0 : 1]);
        const Node& value = bound.node(operands[path_first ? 1 : 0]);
        if (path.op != Operator::kPath || value.op != Operator::kValue || path.count != 1) continue;
        if (!key.Names(bound.top_level_name(path))) continue;
        equalities.emplace_back(bound.top_level_name(path), bound.value(value));
        is_key = true;
      }
    }
    named.only_key = named.only_key && is_key;
  }
  std::string encoded;
  value::MapBuilder map(encoded);
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const catalog::KeyAttribute& attribute : *attributes) {
      std::optional<ValueView> first;
      for (const auto& [name, value] : equalities) {
        if (name != attribute.name) continue;
        if (first && !(*first == value)) {
          named.ambiguous = attribute.name;
          named.only_key = false;
        }
        if (!first) first = value;
      }
      if (first) map.Add(attribute.name, *first);
      if (!first && !named.missing) named.missing = attribute.name;
    }
  }
  map.Finish();
  named.key = Item::FromEncoded(std::move(encoded));
  return named;
}

Result<void> CheckKeyType(const catalog::KeyAttribute& attribute, ValueView value) {
  if (value.type() == attribute.type) return {};
  if (!expression::HasOrder(value.type())) {
    return ValidationError(fmt::format("Key value must be of type S, N, or B. Key name: {}, Key type: {}",
                                       attribute.name, value::TypeName(value.type())));
  }
  return ValidationError(
      fmt::format("Key attribute's data type should match its data type in table's schema: Key {}", attribute.name));
}

Result<void> CheckStatementKey(const catalog::KeySchema& key, const Item& item) {
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const catalog::KeyAttribute& attribute : *attributes) {
      const std::optional<ValueView> value = item.Find(attribute.name);
      if (!value) {
        return ValidationError(fmt::format("Key attribute should be present in the item: Key {}", attribute.name));
      }
      if (Result<void> ok = CheckKeyType(attribute, *value); !ok) return ok;
    }
  }
  return {};
}

}  // namespace taula::api
