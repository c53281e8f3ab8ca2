// Changes to an item, laid over its bytes: only what the changed paths lead
// through is looked into, everything else is copied as it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "expression/bound_syntax.h"
#include "expression/syntax.h"
#include "taula/value.h"

namespace taula::expression {

// The paths of one edit must not overlap nor conflict. List indexes mean the
// list as it was: elements that are removed do not move the others before the
// edit is encoded, and what is set behind the end is appended in the order of
// the indexes.
class DocumentEdit {
 public:
  // `base` must outlive the edit.
  explicit DocumentEdit(MapView base) { branches_.push_back({base, ListView({}), false, {}}); }

  // Both answer false when the path leads through something that is not there,
  // or not a map or a list as the path wants it. `encoded` must outlive the
  // edit. Removing what is not there changes nothing.
  [[nodiscard]] bool Set(const BoundSyntax& bound, const Node& path, std::string_view encoded);
  [[nodiscard]] bool Remove(const BoundSyntax& bound, const Node& path);

  // The changed item as one map value.
  [[nodiscard]] std::string Encode() const;

 private:
  using BranchId = std::uint32_t;

  struct Change {
    enum class Type : std::uint8_t { kSet, kRemove, kBranch };

    Type type;
    std::string_view name;    // in a map
    std::uint32_t index = 0;  // in a list
    std::string_view encoded;
    BranchId branch = 0;
  };
  // A map or list that is changed inside. The changes are in order.
  struct Branch {
    MapView map;
    ListView list;
    bool is_list;
    std::vector<Change> changes;
  };

  [[nodiscard]] bool Apply(const BoundSyntax& bound, const Node& path, Change change);
  // The place of a step among a branch's changes.
  [[nodiscard]] std::vector<Change>::iterator PlaceOf(Branch& branch, const Change& change) const;
  // The branch that a step leads to; nothing when there is no such map or list.
  [[nodiscard]] std::optional<BranchId> Enter(BranchId from, const Change& step, bool into_list);

  void AppendBranch(std::string& out, const Branch& branch) const;
  void AppendMap(std::string& out, const Branch& branch) const;
  void AppendList(std::string& out, const Branch& branch) const;
  void AppendChanged(std::string& out, const Change& change) const;

  std::vector<Branch> branches_;  // the first is the item
};

}  // namespace taula::expression
