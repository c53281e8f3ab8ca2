#include "design/match.h"

#include <algorithm>
#include <optional>

#include "design/key_plan.h"

namespace taula::design {
namespace {

using Kind = Access::Kind;
using enum OperationKind;
using Names = std::vector<std::string>;

bool Contains(const Names& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

void AddOnce(Names& names, std::string_view name) {
  if (!Contains(names, name)) names.emplace_back(name);
}

// ---- How a range of one key attribute fits a template

// What a range says of an entity's attributes: those that it fixes, and
// whether it bounds the next one.
struct Fit {
  Names fixed;
  bool bounded = false;
};

// For keys that begin with `text`; nothing when none of the template's does.
std::optional<Fit> FitBeginning(const Template& pattern, std::string_view text) {
  Fit fit;
  const auto& parts = pattern.parts();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (text.empty()) return fit;
    if (!parts[i].is_reference()) {
      const std::size_t common = std::min(parts[i].literal.size(), text.size());
      if (text.substr(0, common) != std::string_view(parts[i].literal).substr(0, common)) return std::nullopt;
      text.remove_prefix(common);
      continue;
    }
    const std::size_t end = i + 1 < parts.size() ? text.find(parts[i + 1].literal) : std::string_view::npos;
    if (end == std::string_view::npos) {
      fit.bounded = true;
      return fit;
    }
    AddOnce(fit.fixed, parts[i].reference);
    text.remove_prefix(end);
  }
  return text.empty() ? std::optional(fit) : std::nullopt;
}

std::string_view CommonBeginning(std::string_view a, std::string_view b) {
  return a.substr(0, static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin()));
}

std::optional<Fit> FitRange(const Template& pattern, const KeyRange& range) {
  const auto text_of = [](const std::optional<KeyRange::End>& end) -> std::optional<std::string_view> {
    if (!end || end->value.type() != Type::kString) return std::nullopt;
    return end->value.view().bytes();
  };
  if (range.is_all()) return Fit();
  const auto low = text_of(range.low);
  const auto high = text_of(range.high);
  if (range.is_one()) {
    Fit fit;
    // A key that is no text is one attribute's value.
    if (low && !pattern.Match(*low)) return std::nullopt;
    for (const Template::Part& part : pattern.parts()) {
      if (part.is_reference()) AddOnce(fit.fixed, part.reference);
    }
    return fit;
  }
  if (range.prefix) return FitBeginning(pattern, *range.prefix);
  KeyRange possible = KeyRange::OfPrefix(std::string(pattern.Prefix()));
  if (!pattern.Prefix().empty()) possible.Intersect(range);
  if (possible.is_empty()) return std::nullopt;
  std::optional<Fit> fit = low && high ? FitBeginning(pattern, CommonBeginning(*low, *high)) : Fit();
  if (fit) fit->bounded = true;
  return fit;
}

// ---- Entities

struct Source {
  const Table* table = nullptr;
  const Index* index = nullptr;
};

// What a query's key conditions say of an entity; nothing when it finds none of
// its items.
std::optional<Fit> FitQuery(const Design& design, const Entity& entity, const Source& place, const Access& access) {
  if (!IsIn(design, entity, place.index)) return std::nullopt;
  Fit all;
  const auto add = [&](const KeyPart& part) {
    const Access::KeyCondition* const condition = access.FindKey(part.name);
    const auto pattern = TemplateFor(design, entity, place.index, part);
    if (condition == nullptr || !pattern) return true;
    const auto fit = FitRange(*pattern, condition->range);
    if (!fit) return false;
    for (const std::string& name : fit->fixed) AddOnce(all.fixed, name);
    all.bounded |= fit->bounded;
    return true;
  };
  if (!add(place.index != nullptr ? place.index->partition : place.table->partition)) return std::nullopt;
  const std::optional<KeyPart>& sort = place.index != nullptr ? place.index->sort : place.table->sort;
  if (sort && !add(*sort)) return std::nullopt;
  return all;
}

bool HasKey(const Design& design, const Entity& entity, const Table& table, const Item& item) {
  const auto fits = [&](const KeyPart& part) {
    const auto value = item.Find(part.name);
    const auto pattern = TemplateFor(design, entity, nullptr, part);
    if (!value || !pattern) return false;
    return value->type() != Type::kString || pattern->Match(value->bytes()).has_value();
  };
  if (!fits(table.partition) || (table.sort && !fits(*table.sort))) return false;
  return std::ranges::all_of(entity.type, [&](const auto& mark) {
    const auto value = item.Find(mark.first);
    return !value || *value == mark.second.view();
  });
}

bool IsRange(const Access& access) { return access.kind == Kind::kQuery || access.kind == Kind::kScan; }

std::vector<const Entity*> EntitiesOf(const Design& design, const Table& table, const Access& access) {
  const Source place{&table, table.FindIndex(access.index)};
  std::vector<const Entity*> found;
  for (const Entity& entity : design.entities) {
    if (entity.table != table.id) continue;
    const bool fits = IsRange(access) ? FitQuery(design, entity, place, access).has_value()
                                      : HasKey(design, entity, table, access.item);
    if (fits) found.push_back(&entity);
  }
  return found;
}

// ---- Operations

bool ReadsJust(const std::vector<const Entity*>& entities, const Operation& operation, const Names& others) {
  return std::ranges::all_of(entities, [&](const Entity* entity) {
    return Contains(operation.entities, entity->name) || Contains(others, entity->name);
  });
}

bool MatchesQuery(const Design& design, const Table& table, const Operation& operation, const Access& access,
                  const std::vector<const Entity*>& entities) {
  if (operation.kind != kQuery && operation.kind != kVerify) return false;
  const auto plan = PlanKeys(design, operation);
  if (!plan || plan->table != &table || operation.index != access.index) return false;
  if (!ReadsJust(entities, operation, plan->others)) return false;
  Names by;
  for (const std::string& name : operation.by) {
    if (!Contains(plan->filtered_by, name)) by.push_back(name);
  }
  const bool bounded = operation.where.size() > plan->filtered_where.size();
  return std::ranges::all_of(operation.entities, [&](const std::string& name) {
    const auto fit = FitQuery(design, *design.FindEntity(name), {plan->table, plan->index}, access);
    return fit && fit->bounded == bounded && std::ranges::is_permutation(fit->fixed, by);
  });
}

bool MatchesScan(const Design& design, const Table& table, const Operation& operation, const Access& access) {
  const Entity* const entity = operation.entities.empty() ? nullptr : design.FindEntity(operation.entities.front());
  return operation.kind == kScan && entity != nullptr && entity->table == table.id && operation.index == access.index;
}

// Attributes that the database sets or derives, whoever writes.
bool IsDerived(const Table& table, const Entity& entity, std::string_view path) {
  const Attribute* const attribute = entity.Find(path);
  if (attribute != nullptr && attribute->set != SetWhen::kNever) return true;
  return std::ranges::any_of(table.indexes, [&](const Index& index) {
    return index.partition.name == path || (index.sort && index.sort->name == path);
  });
}

bool MatchesUpdate(const Table& table, const Entity& entity, const Operation& operation, const Access& access) {
  Names changed;
  for (const std::string& path : access.written) {
    const std::string in_map = entity.map + ".";
    const std::string name = !entity.map.empty() && path.starts_with(in_map) ? path.substr(in_map.size()) : path;
    if (!IsDerived(table, entity, name)) changed.push_back(name);
  }
  if (operation.kind == kDelete) return !entity.soft_delete.empty() && changed == Names{entity.soft_delete};
  Names possible = operation.change;
  Names necessary = operation.remove;
  for (const Assignment& each : operation.set) AddOnce(necessary, each.path);
  for (const Assignment& each : operation.add) AddOnce(necessary, each.path);
  return std::ranges::all_of(changed,
                             [&](const auto& name) { return Contains(possible, name) || Contains(necessary, name); }) &&
         std::ranges::all_of(
             necessary, [&](const auto& name) { return IsDerived(table, entity, name) || Contains(changed, name); });
}

// One item: an operation, or a step of a transaction.
bool MatchesItem(const Design& design, const Table& table, const Operation& operation, const Access& access) {
  const Entity* const entity = operation.entities.size() == 1 ? design.FindEntity(operation.entities.front()) : nullptr;
  if (entity == nullptr || entity->table != table.id || !HasKey(design, *entity, table, access.item)) return false;
  switch (access.kind) {
    case Kind::kGet:
      return operation.kind == kGet;
    case Kind::kPut:
      return operation.kind == (access.conditional && !operation.condition ? kCreate : kPut);
    case Kind::kUpdate:
      return (operation.kind == kUpdate || operation.kind == kDelete) &&
             MatchesUpdate(table, *entity, operation, access);
    case Kind::kDelete:
      return operation.kind == kDelete && entity->soft_delete.empty();
    case Kind::kCheck:
      return operation.kind == kCheck;
    default:
      return false;
  }
}

// Each access is some step's, and each step that is not repeated has one.
bool MatchesTransaction(const ServedDesign& served, const Operation& operation, const std::vector<Access>& accesses) {
  if (operation.kind != kTransaction) return false;
  std::vector<bool> done(operation.steps.size(), false);
  for (const Access& access : accesses) {
    const Table* const table = FindTable(served, access.table);
    if (table == nullptr) return false;
    bool found = false;
    for (std::size_t i = 0; i < operation.steps.size() && !found; ++i) {
      const Operation& step = operation.steps[i];
      if (done[i] && step.for_each_list.empty()) continue;
      found = done[i] = MatchesItem(*served.design, *table, step, access) || done[i];
    }
    if (!found) return false;
  }
  for (std::size_t i = 0; i < done.size(); ++i) {
    if (!done[i] && operation.steps[i].for_each_list.empty()) return false;
  }
  return true;
}

bool MatchesBatch(const Design& design, const Table& table, const Operation& operation, const RawRequest& request) {
  const OperationKind kind = request.operation == "BatchGetItem" ? kBatchGet : kBatchPut;
  const Entity* const entity = operation.entities.size() == 1 ? design.FindEntity(operation.entities.front()) : nullptr;
  if (operation.kind != kind || entity == nullptr || entity->table != table.id) return false;
  return std::ranges::all_of(request.accesses, [&](const Access& access) {
    return access.kind == (kind == kBatchGet ? Kind::kGet : Kind::kPut) && HasKey(design, *entity, table, access.item);
  });
}

bool Matches(const ServedDesign& served, const Table& table, const Operation& operation, const RawRequest& request,
             const std::vector<const Entity*>& entities) {
  const Design& design = *served.design;
  if (request.operation.starts_with("Batch")) return MatchesBatch(design, table, operation, request);
  if (request.operation.starts_with("Transact")) return MatchesTransaction(served, operation, request.accesses);
  const Access& access = request.accesses.front();
  if (access.kind == Kind::kQuery) return MatchesQuery(design, table, operation, access, entities);
  if (access.kind == Kind::kScan) return MatchesScan(design, table, operation, access);
  return MatchesItem(design, table, operation, access);
}

// Of operations that read the same, those that also filter and order the same,
// if there are such.
void PreferTheClosest(std::vector<const Operation*>& operations, const Access& access) {
  const auto is_close = [&](const Operation* operation) {
    return operation->filter.has_value() == access.filtered && operation->descending == access.descending;
  };
  if (std::ranges::any_of(operations, is_close)) {
    std::erase_if(operations, [&](const Operation* operation) { return !is_close(operation); });
  }
}

}  // namespace

const Table* FindTable(const ServedDesign& served, std::string_view table_name) {
  for (const Table& table : served.design->tables) {
    if (served.design->TableName(table, served.stage) == table_name) return &table;
  }
  return nullptr;
}

std::vector<RequestMatch> MatchRequest(const std::vector<ServedDesign>& designs, const RawRequest& request) {
  std::vector<RequestMatch> matches;
  for (const ServedDesign& served : designs) {
    RequestMatch match{.design = served.design};
    const Table* any_table = nullptr;
    for (const Access& access : request.accesses) {
      const Table* const table = FindTable(served, access.table);
      if (table == nullptr) continue;
      any_table = table;
      for (const Entity* const entity : EntitiesOf(*served.design, *table, access)) {
        if (std::ranges::find(match.entities, entity) == match.entities.end()) match.entities.push_back(entity);
      }
    }
    if (any_table == nullptr) continue;
    for (const Operation& operation : served.design->operations) {
      if (Matches(served, *any_table, operation, request, match.entities)) match.operations.push_back(&operation);
    }
    if (IsRange(request.accesses.front())) PreferTheClosest(match.operations, request.accesses.front());
    matches.push_back(std::move(match));
  }
  return matches;
}

}  // namespace taula::design
