// Which keys a WHERE clause asks for.
//
// A SELECT reads whole partitions, ranges of them or single items where every
// way to fulfil its WHERE clause names a partition: an equality or an IN on the
// partition key in each branch of its ORs. Otherwise it reads everything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/key_range.h"
#include "catalog/table.h"
#include "codec/key_codec.h"
#include "expression/condition.h"
#include "expression/key_condition.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::api {

// One stretch of keys in one partition.
struct KeyRead {
  std::string partition;  // the encoded partition key: partitions sort by it
  base::KeyRange range;
  bool whole_key = false;  // an equality on each attribute of the key
};

class KeyPlan {
 public:
  // Refers to both. The key has one partition attribute, and one or no sort
  // attribute.
  KeyPlan(const expression::Condition& where, const catalog::KeySchema& key);

  // Whether every branch names a partition.
  [[nodiscard]] bool keyed() const { return keyed_; }
  // Whether a branch that names a partition says more than a key can.
  [[nodiscard]] bool filtered() const;

  // For a plan that is keyed: the stretches, none of which overlap, in order of
  // partition and sort key.
  [[nodiscard]] Result<std::vector<KeyRead>> Reads(codec::SpaceId space) const;

  // The key, when the clause says nothing but which item it is. Its values may
  // not be of the right types.
  [[nodiscard]] std::optional<Item> OnlyKey() const;

  // For an index: the attributes that are filtered by without being projected,
  // for which Amazon refuses a keyed read; none when it does not.
  [[nodiscard]] std::vector<std::string_view> UnprojectedFilters(const catalog::Table& table,
                                                                 const catalog::Index& index) const;

 private:
  using NodeId = expression::NodeId;
  using Range = expression::KeyLookup::Range;

  // A way to fulfil the clause.
  struct Branch {
    std::optional<ValueView> partition;
    std::vector<Range> sort;      // all of them, here also equalities
    std::vector<NodeId> filters;  // what no key can say
    bool filters_by_key = false;  // such as sk <> 'a'
    bool contradictory = false;   // two different partitions
  };
  using Branches = std::vector<Branch>;

  [[nodiscard]] Branches Expand(NodeId id) const;
  [[nodiscard]] Branches ExpandAll(const expression::Node& all) const;
  [[nodiscard]] Branches ExpandAny(const expression::Node& any) const;
  [[nodiscard]] Branches ExpandIn(NodeId id) const;
  [[nodiscard]] Branch FilterBy(NodeId id) const;
  [[nodiscard]] bool NamesPartition(NodeId id) const;
  [[nodiscard]] bool HasKeyCondition(NodeId id) const;
  [[nodiscard]] bool MentionsKey(NodeId id) const;
  void CollectNames(NodeId id, std::vector<std::string_view>& names) const;
  [[nodiscard]] std::optional<Branch> KeyConditionOf(NodeId id) const;
  [[nodiscard]] bool IsKey(NodeId path, bool of_partition) const;
  [[nodiscard]] Result<void> CheckTypes() const;
  [[nodiscard]] KeyRead ReadOf(const Branch& branch, codec::SpaceId space) const;

  const expression::BoundSyntax& where_;
  const catalog::KeySchema& key_;
  Branches branches_;
  bool keyed_ = false;
};

// What a write names by equalities that all must hold.
struct NamedKey {
  Item key;                              // as far as it is named; the first value of each attribute
  std::optional<std::string> missing;    // an attribute that is not named
  std::optional<std::string> ambiguous;  // one that is named with two values
  bool only_key = true;                  // nothing else is said
};

[[nodiscard]] NamedKey FindNamedKey(const expression::Condition& where, const catalog::KeySchema& key);

// "Key attribute's data type should match its data type in table's schema: Key pk".
[[nodiscard]] Result<void> CheckKeyType(const catalog::KeyAttribute& attribute, ValueView value);

// Whether an item, or a key, has all attributes of a key, of the right types.
[[nodiscard]] Result<void> CheckStatementKey(const catalog::KeySchema& key, const Item& item);

}  // namespace taula::api
