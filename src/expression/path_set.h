// Document paths that do not overlap, as a tree, and what they lead to in an
// item.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/bound_syntax.h"
#include "expression/syntax.h"
#include "taula/value.h"

namespace taula::expression {

class PathSet {
 public:
  PathSet() {
    branches_.reserve(2);  // most sets are of one attribute
    branches_.emplace_back();
  }

  enum class Added : std::uint8_t {
    kYes,
    kOverlaps,   // one path is the beginning of the other
    kConflicts,  // one takes for a list what the other takes for a map
  };
  Added Add(const BoundSyntax& bound, const Node& path);
  // A whole top-level attribute; false when it is there already.
  bool AddAttribute(std::string_view name);

  // Appends a map with the parts of the item that the paths lead to: only the
  // named parts of maps, lists compacted in the order of their indexes.
  void AppendExtract(std::string& out, MapView item) const;

  // Each once, in byte order.
  [[nodiscard]] std::vector<std::string_view> top_level_names() const;
  [[nodiscard]] bool Names(std::string_view attribute) const;
  [[nodiscard]] bool NamesInside(std::string_view attribute) const;

 private:
  using BranchId = std::uint32_t;

  struct Step {
    bool is_index = false;
    std::uint32_t index = 0;  // in a list
    std::string_view name;    // in a map
    friend std::strong_ordering operator<=>(const Step&, const Step&) = default;
    friend bool operator==(const Step&, const Step&) = default;
  };
  struct Edge {
    Step step;
    BranchId branch;
  };
  // Where no edge leads on, a path ends. Edges are in order.
  using Branch = std::vector<Edge>;

  [[nodiscard]] const Edge* FindTopLevel(std::string_view attribute) const;
  // The branch behind the step, made when it is not there.
  BranchId Follow(BranchId from, const Step& step, bool& made);
  bool AppendPart(std::string& out, const Branch& branch, ValueView value) const;
  bool AppendMapPart(std::string& out, const Branch& branch, MapView map) const;
  bool AppendListPart(std::string& out, const Branch& branch, ListView list) const;

  std::vector<Branch> branches_;  // the first is the root
};

// Puts paths into an empty set. The error is Amazon's when two of them overlap
// or, if none do, conflict; without "Invalid <kind>: ".
[[nodiscard]] std::optional<std::string> AddPaths(const BoundSyntax& bound, std::span<const NodeId> paths,
                                                  PathSet& set);

}  // namespace taula::expression
