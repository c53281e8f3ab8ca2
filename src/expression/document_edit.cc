#include "expression/document_edit.h"

#include <algorithm>

#include "base/bytes.h"
#include "value/encoding.h"

namespace taula::expression {
namespace {

// Of an entry of a map: the length of its name.
constexpr std::size_t kEntryBytesBeside = 5;

}  // namespace

bool DocumentEdit::Set(const BoundSyntax& bound, const Node& path, std::string_view encoded) {
  return Apply(bound, path, {.type = Change::Type::kSet, .name = {}, .encoded = encoded});
}

bool DocumentEdit::Remove(const BoundSyntax& bound, const Node& path) {
  return Apply(bound, path, {.type = Change::Type::kRemove, .name = {}, .encoded = {}});
}

bool DocumentEdit::Apply(const BoundSyntax& bound, const Node& path, Change change) {
  const std::span<const PathStep> steps = bound.syntax().steps(path);
  BranchId at = 0;
  for (std::size_t i = 0;; ++i) {
    const bool is_index = steps[i].type == PathStep::Type::kIndex;
    change.name = is_index ? std::string_view() : bound.name(steps[i]);
    change.index = is_index ? steps[i].number : 0;
    if (i + 1 == steps.size()) break;
    const std::optional<BranchId> next = Enter(at, change, steps[i + 1].type == PathStep::Type::kIndex);
    if (!next) return false;
    at = *next;
  }
  Branch& branch = branches_[at];
  branch.changes.insert(PlaceOf(branch, change), change);
  return true;
}

std::vector<DocumentEdit::Change>::iterator DocumentEdit::PlaceOf(Branch& branch, const Change& change) const {
  if (branch.is_list) return std::ranges::lower_bound(branch.changes, change.index, {}, &Change::index);
  return std::ranges::lower_bound(branch.changes, change.name, {}, &Change::name);
}

std::optional<DocumentEdit::BranchId> DocumentEdit::Enter(BranchId from, const Change& step, bool into_list) {
  Branch& branch = branches_[from];
  const auto place = PlaceOf(branch, step);
  if (place != branch.changes.end() && place->name == step.name && place->index == step.index) return place->branch;

  const std::optional<ValueView> inner = branch.is_list ? branch.list.At(step.index) : branch.map.Find(step.name);
  if (!inner || inner->type() != (into_list ? Type::kList : Type::kMap)) return std::nullopt;
  const auto id = static_cast<BranchId>(branches_.size());
  branch.changes.insert(place, {Change::Type::kBranch, step.name, step.index, {}, id});
  if (into_list) {
    branches_.push_back({MapView({}), inner->list(), true, {}});
  } else {
    branches_.push_back({inner->map(), ListView({}), false, {}});
  }
  return id;
}

std::string DocumentEdit::Encode() const {
  std::string out;
  std::size_t bytes = branches_[0].map.content().size() + value::kContainerHeaderBytes;
  for (const Branch& branch : branches_) {
    for (const Change& change : branch.changes) bytes += change.name.size() + change.encoded.size() + kEntryBytesBeside;
  }
  out.reserve(bytes);
  AppendBranch(out, branches_[0]);
  return out;
}

void DocumentEdit::AppendBranch(std::string& out, const Branch& branch) const {
  const std::size_t begin = value::BeginContainer(out, branch.is_list ? Type::kList : Type::kMap);
  if (branch.is_list) {
    AppendList(out, branch);
  } else {
    AppendMap(out, branch);
  }
  value::EndContainer(out, begin);
}

void DocumentEdit::AppendChanged(std::string& out, const Change& change) const {
  if (change.type == Change::Type::kBranch) {
    AppendBranch(out, branches_[change.branch]);
  } else {
    out.append(change.encoded);
  }
}

void DocumentEdit::AppendMap(std::string& out, const Branch& branch) const {
  auto change = branch.changes.begin();
  const auto append_change = [&] {
    if (change->type != Change::Type::kRemove) {
      value::AppendName(out, change->name);
      AppendChanged(out, *change);
    }
    ++change;
  };
  const char* at = branch.map.content().data();
  const char* const end = at + branch.map.content().size();
  const char* unchanged = at;  // what stays as it is, up to `at`, goes over in one piece
  while (at != end && change != branch.changes.end()) {
    const char* const entry = at;
    const std::uint32_t name_length = base::ReadVarint(at);
    const std::string_view name(at, name_length);
    at = value::SkipValue(at + name_length);
    if (name < change->name) continue;
    out.append(unchanged, entry);
    unchanged = entry;
    while (change != branch.changes.end() && change->name < name) append_change();
    if (change != branch.changes.end() && change->name == name) {
      append_change();
      unchanged = at;
    }
  }
  out.append(unchanged, end);
  while (change != branch.changes.end()) append_change();
}

void DocumentEdit::AppendList(std::string& out, const Branch& branch) const {
  auto change = branch.changes.begin();
  const auto append_change = [&] {
    if (change->type != Change::Type::kRemove) AppendChanged(out, *change);
    ++change;
  };
  std::uint32_t index = 0;
  for (const ValueView element : branch.list) {
    if (change != branch.changes.end() && change->index == index) {
      append_change();
    } else {
      out.append(element.encoded());
    }
    ++index;
  }
  while (change != branch.changes.end()) append_change();
}

}  // namespace taula::expression
