#include "expression/path_set.h"

#include <algorithm>

#include "value/encoding.h"

namespace taula::expression {
namespace {

// Whether two paths exclude each other, and in which way.
PathSet::Added Relation(const BoundSyntax& bound, const Node& a, const Node& b) {
  const std::span<const PathStep> steps_a = bound.syntax().steps(a);
  const std::span<const PathStep> steps_b = bound.syntax().steps(b);
  for (std::size_t i = 0; i < std::min(steps_a.size(), steps_b.size()); ++i) {
    const bool is_index = steps_a[i].type == PathStep::Type::kIndex;
    if (is_index != (steps_b[i].type == PathStep::Type::kIndex)) return PathSet::Added::kConflicts;
    const bool same =
        is_index ? steps_a[i].number == steps_b[i].number : bound.name(steps_a[i]) == bound.name(steps_b[i]);
    if (!same) return PathSet::Added::kYes;
  }
  return PathSet::Added::kOverlaps;
}

std::string ExclusionMessage(const BoundSyntax& bound, std::span<const NodeId> paths, std::size_t second,
                             PathSet::Added relation) {
  const Node& two = bound.node(paths[second]);
  std::size_t first = 0;
  while (Relation(bound, bound.node(paths[first]), two) != relation) ++first;
  const std::string_view verb = relation == PathSet::Added::kOverlaps ? "overlap" : "conflict";
  return "Two document paths " + std::string(verb) +
         " with each other; must remove or rewrite one of these paths; path one: " +
         bound.PathText(bound.node(paths[first])) + ", path two: " + bound.PathText(two);
}

}  // namespace

PathSet::BranchId PathSet::Follow(BranchId from, const Step& step, bool& made) {
  const auto found = std::ranges::lower_bound(branches_[from], step, {}, &Edge::step);
  made = found == branches_[from].end() || found->step != step;
  if (!made) return found->branch;
  const auto branch = static_cast<BranchId>(branches_.size());
  branches_[from].insert(found, {step, branch});
  branches_.emplace_back();
  return branch;
}

PathSet::Added PathSet::Add(const BoundSyntax& bound, const Node& path) {
  Added added = Added::kYes;
  BranchId at = 0;
  bool made = true;
  for (const PathStep& step : bound.syntax().steps(path)) {
    // A path that was there before ends where this one goes on.
    if (!made && branches_[at].empty()) return Added::kOverlaps;
    const bool is_index = step.type == PathStep::Type::kIndex;
    if (!branches_[at].empty() && branches_[at].front().step.is_index != is_index) added = Added::kConflicts;
    at = Follow(at, is_index ? Step{true, step.number, {}} : Step{false, 0, bound.name(step)}, made);
  }
  return made ? added : Added::kOverlaps;
}

bool PathSet::AddAttribute(std::string_view name) {
  bool made = false;
  Follow(0, {false, 0, name}, made);
  return made;
}

void PathSet::AppendExtract(std::string& out, MapView item) const {
  if (AppendMapPart(out, branches_[0], item)) return;
  value::EndContainer(out, value::BeginContainer(out, Type::kMap));
}

bool PathSet::AppendPart(std::string& out, const Branch& branch, ValueView value) const {
  if (branch.empty()) {
    out.append(value.encoded());
    return true;
  }
  if (branch.front().step.is_index) {
    return value.type() == Type::kList && AppendListPart(out, branch, value.list());
  }
  return value.type() == Type::kMap && AppendMapPart(out, branch, value.map());
}

// Both the attributes and the edges are in byte order. Nothing is appended when
// no edge leads to anything.
bool PathSet::AppendMapPart(std::string& out, const Branch& branch, MapView map) const {
  const std::size_t start = out.size();
  const std::size_t begin = value::BeginContainer(out, Type::kMap);
  bool any = false;
  auto edge = branch.begin();
  for (auto entry = map.begin(); entry != map.end() && edge != branch.end(); ++entry) {
    while (edge != branch.end() && edge->step.name < (*entry).name) ++edge;
    if (edge == branch.end() || edge->step.name != (*entry).name) continue;
    const std::size_t before = out.size();
    value::AppendName(out, (*entry).name);
    if (AppendPart(out, branches_[edge->branch], (*entry).value)) {
      any = true;
    } else {
      out.resize(before);
    }
  }
  value::EndContainer(out, begin);
  if (!any) out.resize(start);
  return any;
}

bool PathSet::AppendListPart(std::string& out, const Branch& branch, ListView list) const {
  const std::size_t start = out.size();
  const std::size_t begin = value::BeginContainer(out, Type::kList);
  bool any = false;
  auto edge = branch.begin();
  std::uint32_t index = 0;
  for (auto element = list.begin(); element != list.end() && edge != branch.end(); ++element, ++index) {
    if (edge->step.index != index) continue;
    any |= AppendPart(out, branches_[edge->branch], *element);
    ++edge;
  }
  value::EndContainer(out, begin);
  if (!any) out.resize(start);
  return any;
}

std::vector<std::string_view> PathSet::top_level_names() const {
  std::vector<std::string_view> names;
  names.reserve(branches_[0].size());
  for (const Edge& edge : branches_[0]) names.push_back(edge.step.name);
  return names;
}

const PathSet::Edge* PathSet::FindTopLevel(std::string_view attribute) const {
  const Step step{false, 0, attribute};
  const auto found = std::ranges::lower_bound(branches_[0], step, {}, &Edge::step);
  return found != branches_[0].end() && found->step == step ? &*found : nullptr;
}

bool PathSet::Names(std::string_view attribute) const { return FindTopLevel(attribute) != nullptr; }

bool PathSet::NamesInside(std::string_view attribute) const {
  const Edge* edge = FindTopLevel(attribute);
  return edge != nullptr && !branches_[edge->branch].empty();
}

std::optional<std::string> AddPaths(const BoundSyntax& bound, std::span<const NodeId> paths, PathSet& set) {
  std::optional<std::size_t> conflict;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const PathSet::Added added = set.Add(bound, bound.node(paths[i]));
    if (added == PathSet::Added::kOverlaps) return ExclusionMessage(bound, paths, i, added);
    if (added == PathSet::Added::kConflicts && !conflict) conflict = i;
  }
  if (conflict) return ExclusionMessage(bound, paths, *conflict, PathSet::Added::kConflicts);
  return std::nullopt;
}

}  // namespace taula::expression
