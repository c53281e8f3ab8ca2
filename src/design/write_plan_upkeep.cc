// What a write needs besides its item on a server that keeps no designs: keys of
// indexes that follow an update, and guards of unique values.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "design/compile.h"
#include "design/condition.h"
#include "design/guards.h"
#include "design/item_path.h"
#include "design/write_plan.h"

namespace taula::design {
namespace {

using Made = WritePlan::Made;
using Path = std::vector<std::string>;

// Where two items differ, as deep as both are maps.
void Differences(ValueView before, ValueView after, Path& path,
                 std::vector<std::pair<Path, std::optional<Value>>>& found) {
  const auto note = [&](std::string_view name, std::optional<Value> value) {
    path.emplace_back(name);
    found.emplace_back(path, std::move(value));
    path.pop_back();
  };
  for (const auto [name, value] : after.map()) {
    const auto old = before.Find(name);
    if (old && *old == value) continue;
    if (old && old->type() == Type::kMap && value.type() == Type::kMap) {
      path.emplace_back(name);
      Differences(*old, value, path, found);
      path.pop_back();
    } else {
      note(name, Value(value));
    }
  }
  for (const auto [name, value] : before.map()) {
    if (!after.Find(name)) note(name, std::nullopt);
  }
}

}  // namespace

Made WritePlan::Derive(Action& action, std::optional<Item>& after) {
  if (execution_.calls.keeps_designs()) return {};
  const Entity& entity = *action.entity;
  Outcome<std::optional<Item>> before = ReadBefore(action);
  if (!before) return Failed(before.error());
  const Result<bool> meets = MeetsCondition(action, *before);
  if (!meets) return Failed(FailureOf(meets.error()));
  if (!*meets) return std::unexpected(Unmet(action, *before));
  const ValueView old = (*before)->view();
  const Result<Item> updated = ApplyLocally(action, old);
  if (!updated) return Failed(FailureOf(updated.error()));
  Result<Item> kept = execution_.deriver.Updated(entity.name, old, updated->view(), scope_.now_ms());
  if (!kept) return Failed(FailureOf(kept.error()));
  // What the design makes of it, beside what the operation says.
  Path path;
  std::vector<std::pair<Path, std::optional<Value>>> differences;
  Differences(updated->view(), kept->view(), path, differences);
  for (const auto& [where, value] : differences) {
    const std::string text = action.placeholders.Path(where);
    std::erase_if(action.set, [&](const std::string& each) { return each.starts_with(text + " = "); });
    std::erase(action.remove, text);
    if (value) {
      action.set.push_back(fmt::format("{} = {}", text, action.placeholders.Value(*value)));
    } else {
      action.remove.push_back(text);
    }
  }
  BindIndexKeys(action, old, kept->view());
  after = *std::move(kept);
  return AddGuards(action, *before, after);
}

void WritePlan::BindIndexKeys(Action& action, ValueView before, ValueView after) {
  const Entity& entity = *action.entity;
  std::set<std::string> bound;
  const auto bind = [&](const std::optional<Template>& text, std::string_view key) {
    const auto old = before.Find(key);
    const auto now = after.Find(key);
    const bool same = old.has_value() == now.has_value() && (!old || *old == *now);
    if (!text || same) return;
    for (const std::string& name : ReferencesOf(*text)) {
      const Attribute* const attribute = entity.Find(name);
      if (attribute == nullptr || !attribute->stored || !bound.insert(name).second) continue;
      const ItemPath path = PathOf(*attribute);
      const auto value = execution_.deriver.Find(entity.name, name, before);
      action.Bind({path.steps, value ? std::optional<Value>(*value) : std::nullopt});
    }
  };
  const Table& table = execution_.design.TableOf(entity);
  for (const IndexKey& key : entity.indexes) {
    const Index* const index = table.FindIndex(key.index);
    if (index == nullptr) continue;
    bind(key.partition, index->partition.name);
    if (index->sort) bind(key.sort, index->sort->name);
  }
}

void WritePlan::AddGuard(const Action& owner, const Item& key, const std::string& meaning, Action::Purpose purpose) {
  Action guard;
  guard.purpose = purpose;
  guard.entity = owner.entity;
  guard.step = owner.step;
  guard.table = owner.table;
  guard.key = key;
  guard.meaning = meaning;
  if (purpose == Action::Purpose::kGuard) {
    guard.kind = Action::Kind::kPut;
    guard.item = key;
    const Table& table = execution_.design.TableOf(*owner.entity);
    guard.condition = fmt::format("attribute_not_exists({})", guard.placeholders.Name(table.partition.name));
  } else {
    guard.kind = Action::Kind::kDelete;
  }
  actions_.push_back(std::move(guard));
}

Made WritePlan::AddGuards(Action& action, const std::optional<Item>& before, const std::optional<Item>& after) {
  const Entity& entity = *action.entity;
  if (execution_.calls.keeps_designs() || entity.unique.empty()) return {};
  const Table& table = execution_.design.TableOf(entity);
  if (table.partition.type != Type::kString || (table.sort && table.sort->type != Type::kString)) {
    return Failed({FailureCode::kRefused,
                   fmt::format("The server keeps no designs, and guards of unique values need keys that are text; "
                               "those of table '{}' are not.",
                               table.id),
                   {}});
  }
  std::vector<Guard> old_guards;
  if (before) old_guards = GuardsOf(execution_, entity, before->view());
  std::vector<Guard> new_guards;
  if (after) new_guards = GuardsOf(execution_, entity, after->view());
  bool moves = false;
  for (const Guard& guard : old_guards) {
    if (std::ranges::find(new_guards, guard) != new_guards.end()) continue;
    AddGuard(action, guard.key, guard.meaning, Action::Purpose::kFreedGuard);
    moves = true;
  }
  for (const Guard& guard : new_guards) {
    if (std::ranges::find(old_guards, guard) != old_guards.end()) continue;
    const Outcome<bool> held = IsHeldByAnother(execution_, entity, guard, after->view());
    if (!held) return Failed(held.error());
    if (*held) {
      return Failed({FailureCode::kNotUnique, fmt::format("Another item has {}.", guard.meaning), {}});
    }
    AddGuard(action, guard.key, guard.meaning, Action::Purpose::kGuard);
    moves = true;
  }
  if (!moves || action.purpose == Action::Purpose::kCreate) return {};
  // The guards were made for these values; whoever changes them in between has
  // moved the guards too.
  std::set<std::string> bound;
  for (const std::vector<std::string>& rule : entity.unique) {
    for (const std::string& name : rule) {
      const Attribute* const attribute = entity.Find(name);
      if (attribute == nullptr || !attribute->stored || !bound.insert(name).second) continue;
      const auto value = before ? execution_.deriver.Find(entity.name, name, before->view()) : std::nullopt;
      action.Bind({PathOf(*attribute).steps, value ? std::optional<Value>(*value) : std::nullopt});
    }
  }
  return {};
}

}  // namespace taula::design
