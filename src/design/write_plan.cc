#include "design/write_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "design/compile.h"
#include "design/condition.h"
#include "design/item_path.h"
#include "design/page_token.h"
#include "design/parameters.h"
#include "design/password.h"
#include "design/time_text.h"
#include "value/map_builder.h"

namespace taula::design {
namespace {

constexpr std::size_t kListMax = 100;

using Made = WritePlan::Made;
using Path = std::vector<std::string>;

bool Contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// The value with one of its fields set, maps made on the way.
Value WithField(std::optional<ValueView> value, std::span<const std::string> path, const Value& field) {
  if (path.empty()) return field;
  std::string bytes;
  value::MapBuilder map(bytes);
  const bool is_map = value && value->type() == Type::kMap;
  if (is_map) {
    for (const auto [name, each] : value->map()) map.Add(name, each);
  }
  const auto inside = is_map ? value->Find(path.front()) : std::nullopt;
  map.Add(path.front(), WithField(inside, path.subspan(1), field).view());
  map.Finish();
  return Value::FromEncoded(std::move(bytes));
}

// The fields of what was read under a name that an operation uses.
void CollectFields(const Term& term, std::string_view name, std::vector<std::string>& fields) {
  for (const std::string& reference : ReferencesOf(term)) {
    if (!reference.starts_with(name) || reference.size() <= name.size() || reference[name.size()] != '.') continue;
    const std::string_view rest = std::string_view(reference).substr(name.size() + 1);
    const std::string field(rest.substr(0, rest.find('.')));
    if (!Contains(fields, field)) fields.push_back(field);
  }
}

void CollectFields(const Operation& operation, std::string_view name, std::vector<std::string>& fields) {
  for (const auto& [each, term] : operation.let) CollectFields(term, name, fields);
  for (const auto* const assignments : {&operation.set, &operation.add, &operation.key}) {
    for (const Assignment& assignment : *assignments) CollectFields(assignment.value, name, fields);
  }
  for (const Operation& step : operation.steps) CollectFields(step, name, fields);
  if (!operation.condition) return;
  const auto condition = Condition::Parse(operation.condition->text);
  if (!condition) return;
  for (const Condition::Use& use : condition->references()) {
    Term term;
    if (auto text = Template::Parse(fmt::format("{{{}}}", use.reference))) term.text = *std::move(text);
    CollectFields(term, name, fields);
  }
}

// The parameter that a value is, for messages.
std::string ParameterOf(const Term& term, std::string_view attribute) {
  const bool is_one = term.kind == Term::Kind::kText && term.text.is_single_reference();
  return is_one ? term.text.parts().front().reference : std::string(attribute);
}

bool IsHash(const Attribute* shape) { return shape != nullptr && shape->type == AttributeType::kBcrypt; }

}  // namespace

Made WritePlan::Make() {
  const Operation& operation = execution_.operation;
  if (Made read = ReadNamed(operation); !read) return read;
  if (Made let = SetLet(); !let) return let;
  Made steps =
      operation.kind == OperationKind::kTransaction ? AddSteps() : AddStep({operation, scope_, std::nullopt, false});
  if (!steps) return steps;
  return BindReads();
}

Made WritePlan::ReadNamed(const Operation& operation) {
  for (const NamedRead& read : operation.read) {
    const Operation& each = read.operation.front();
    const Entity& entity = execution_.EntityOf(each);
    std::optional<Item> item;
    if (each.kind == OperationKind::kGet) {
      Operation whole = each;
      whole.returns.clear();
      auto got = ReadOne(execution_, whole, scope_, true);
      if (!got) return Failed(got.error());
      item = *std::move(got);
    } else {
      auto got = FindWhole(execution_, each, scope_);
      if (!got) return Failed(got.error());
      item = *std::move(got);
    }
    const bool by_key = each.kind == OperationKind::kGet;
    if (!item) return Failed(NotFound(entity, by_key ? KeyAttributes(entity) : each.by));
    scope_.Set(read.name, Value(execution_.deriver.AttributesOf(entity.name, item->view()).view()));
    reads_.push_back({read.name, &entity, *std::move(item)});
  }
  return {};
}

Made WritePlan::SetLet() {
  for (const auto& [name, term] : execution_.operation.let) {
    auto value = Evaluate(term, scope_);
    if (!value) return Failed({FailureCode::kInvalidParameter, value.error() + ".", {}});
    if (*value) scope_.Set(name, **std::move(value));
  }
  return {};
}

Made WritePlan::AddSteps() {
  const std::vector<Operation>& steps = execution_.operation.steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].for_each_list.empty()) {
      if (Made added = AddStep({steps[i], scope_, i, false}); !added) return added;
      continue;
    }
    const std::optional<Value> list = scope_.Find(steps[i].for_each_list);
    if (!list || list->type() != Type::kList) continue;
    // Before anything is read for a list that is too long in any case.
    if (list->view().list().size() > kListMax) {
      return Failed({FailureCode::kInvalidParameter,
                     fmt::format("{} has {} elements; a transaction takes {} writes.", steps[i].for_each_list,
                                 list->view().list().size(), kListMax),
                     steps[i].for_each_list});
    }
    for (const ValueView element : list->view().list()) {
      const Scope scope(scope_, steps[i].for_each_variable, Value(element));
      if (Made added = AddStep({steps[i], scope, i, true}); !added) return added;
    }
  }
  return {};
}

Made WritePlan::AddStep(const Step& step) {
  switch (step.operation.kind) {
    case OperationKind::kCreate:
    case OperationKind::kPut:
      return AddNew(step);
    case OperationKind::kUpdate:
      return AddUpdate(step);
    case OperationKind::kDelete:
      return AddDelete(step);
    default:
      return AddCheck(step);
  }
}

Action WritePlan::NewAction(const Step& step, Action::Kind kind, Action::Purpose purpose) const {
  Action action;
  action.kind = kind;
  action.purpose = purpose;
  action.entity = &execution_.EntityOf(step.operation);
  action.step = step.number;
  action.table = execution_.TableOf(*action.entity);
  return action;
}

Outcome<Value> WritePlan::Stored(const Attribute* shape, Value value, const std::string& parameter) {
  if (!IsHash(shape) || value.type() != Type::kString) return value;
  const std::string password(value.view().bytes());
  for (const auto& [known, hash] : execution_.hashes) {
    if (known == password) return Value(hash);
  }
  if (const std::string_view why = WhyNoNewPassword(password); !why.empty()) {
    return Invalid(parameter, fmt::format("{} {}.", parameter, why));
  }
  const auto hash = HashPassword(password, shape->rounds);
  if (!hash) return Fail(FailureCode::kRefused, hash.error());
  execution_.hashes.emplace_back(password, *hash);
  return Value(*hash);
}

Outcome<Item> WritePlan::NewAttributes(const Step& step) {
  const Entity& entity = execution_.EntityOf(step.operation);
  const Standing standing = step.in_loop ? Standing::kLoop : step.number ? Standing::kStep : Standing::kAlone;
  Value attributes(Item().view());
  for (const Attribute& attribute : entity.attributes) {
    if (FindAssignment(step.operation.set, entity, attribute.name) != nullptr) continue;
    std::optional<Value> value = IsImplied(entity, attribute, standing) ? step.scope.Implied(attribute.name)
                                                                        : step.scope.ElementField(attribute.name);
    if (!value) continue;
    Outcome<Value> stored = Stored(&attribute, *std::move(value), attribute.name);
    if (!stored) return std::unexpected(stored.error());
    attributes = WithField(attributes.view(), Path{attribute.name}, *stored);
  }
  for (const Assignment& assignment : step.operation.set) {
    auto path = ResolvePath(execution_.design, step.operation.entities, assignment.path);
    const Attribute* const shape = path ? path->shape : entity.Find(assignment.path);
    auto value = Evaluate(assignment.value, step.scope, shape);
    if (!value) return Invalid(ParameterOf(assignment.value, assignment.path), value.error() + ".");
    if (!*value) continue;
    Outcome<Value> stored = Stored(shape, **std::move(value), ParameterOf(assignment.value, assignment.path));
    if (!stored) return std::unexpected(stored.error());
    // Attributes are flat here; only what is inside of one has a path.
    Path steps = path ? path->steps : Path{assignment.path};
    if (!entity.map.empty() && steps.size() > 1 && steps.front() == entity.map) steps.erase(steps.begin());
    attributes = WithField(attributes.view(), steps, *stored);
  }
  return Item(attributes.view());
}

Made WritePlan::AddNew(const Step& step) {
  const bool is_create = step.operation.kind == OperationKind::kCreate;
  Action action = NewAction(step, Action::Kind::kPut, is_create ? Action::Purpose::kCreate : Action::Purpose::kPut);
  const Entity& entity = *action.entity;
  const Table& table = execution_.design.TableOf(entity);
  const Outcome<Item> attributes = NewAttributes(step);
  if (!attributes) return Failed(attributes.error());
  std::optional<Item> before;
  const bool guarded = !execution_.calls.keeps_designs() && !entity.unique.empty();
  const bool keeps_times = !execution_.in_batch && std::ranges::any_of(entity.attributes, [](const Attribute& each) {
    return each.set == SetWhen::kOnCreate;
  });
  if (!is_create && (guarded || keeps_times)) {
    // What replaces an item keeps the time that it was made at.
    if (const Result<Item> key = execution_.deriver.KeyOf(entity.name, attributes->view())) {
      action.key = *key;
      Outcome<std::optional<Item>> read = ReadBefore(action);
      if (!read) return Failed(read.error());
      before = *std::move(read);
    }
  }
  const auto before_view = before ? std::optional(before->view()) : std::nullopt;
  Result<Item> item = execution_.deriver.ItemOf(entity.name, attributes->view(), before_view, scope_.now_ms());
  if (!item) return Failed(FailureOf(item.error()));
  action.item = *std::move(item);
  action.key = StartKeyOf(table, nullptr, action.item.view());
  if (is_create) {
    action.condition = fmt::format("attribute_not_exists({})", action.placeholders.Name(table.partition.name));
  }
  if (Outcome<void> own = AddOwnCondition(step, action); !own) return Failed(own.error());
  entries_.push_back({&entity, action.purpose, action.item, action.key});
  const std::optional<Item> after = action.item;
  if (Made added = AddGuards(action, before, after); !added) return added;
  actions_.push_back(std::move(action));
  return {};
}

Outcome<void> WritePlan::AddOwnCondition(const Step& step, Action& action) {
  const Outcome<std::string> own =
      CompileCondition(execution_.design, step.operation, step.operation.condition, step.scope, action.placeholders);
  if (!own) return std::unexpected(own.error());
  action.has_own_condition = !own->empty();
  action.condition = And(action.condition, *own);
  return {};
}

std::expected<void, NotPerformed> WritePlan::FindTarget(const Step& step, Action& action) {
  const Operation& operation = step.operation;
  const Entity& entity = *action.entity;
  const std::vector<std::string> keys = KeyAttributes(entity);
  const bool by_key =
      operation.by.empty() || (operation.index.empty() && std::ranges::is_permutation(operation.by, keys));
  if (by_key) {
    const Outcome<Item> attributes = KeyAttributesOf(execution_, operation, step.scope);
    if (!attributes) return Failed(attributes.error());
    Result<Item> key = execution_.deriver.KeyOf(entity.name, attributes->view());
    if (!key) return Failed(FailureOf(key.error()));
    action.key = *std::move(key);
    return {};
  }
  Operation query;
  query.kind = OperationKind::kQuery;
  query.entities = operation.entities;
  query.index = operation.index;
  query.by = operation.by;
  query.include_deleted = true;
  const Outcome<std::vector<Item>> found = ReadSome(execution_, query, step.scope, 2);
  if (!found) return Failed(found.error());
  if (found->empty()) return Failed(NotFound(entity, operation.by));
  if (found->size() > 1) {
    return Failed({FailureCode::kRefused,
                   fmt::format("More than one {} has this {}; the operation is for one.", entity.name,
                               fmt::join(operation.by, ", ")),
                   {}});
  }
  const Table& table = execution_.design.TableOf(entity);
  action.key = StartKeyOf(table, nullptr, found->front().view());
  // An index may lag behind; the item must still be the one that was asked for.
  if (const Index* const index = table.FindIndex(operation.index)) {
    const auto value = found->front().Find(index->partition.name);
    const bool is_key =
        index->partition.name == table.partition.name || (table.sort && index->partition.name == table.sort->name);
    if (value && !is_key) action.Bind({{index->partition.name}, Value(*value)});
  }
  return {};
}

Outcome<void> WritePlan::AddAssignments(const Step& step, Action& action) {
  const Operation& operation = step.operation;
  const Entity& entity = *action.entity;
  const auto resolve = [&](const std::string& path) {
    return ResolvePath(execution_.design, operation.entities, path);
  };
  const auto set = [&](const ItemPath& path, const Value& value) {
    const std::string text = action.placeholders.Path(path.steps);
    action.set.push_back(fmt::format("{} = {}", text, action.placeholders.Value(value)));
  };
  for (const std::string& name : operation.change) {
    if (FindAssignment(operation.set, entity, name) != nullptr) continue;
    const auto path = resolve(name);
    if (!path) return Fail(FailureCode::kRefused, path.error() + ".");
    if (step.scope.IsNull(name)) action.remove.push_back(action.placeholders.Path(path->steps));
    std::optional<Value> value = step.scope.Implied(name);
    if (!value) continue;
    const Outcome<Value> stored = Stored(path->shape, *std::move(value), name);
    if (!stored) return std::unexpected(stored.error());
    set(*path, *stored);
  }
  for (const Assignment& assignment : operation.set) {
    const auto path = resolve(assignment.path);
    if (!path) return Fail(FailureCode::kRefused, path.error() + ".");
    auto value = Evaluate(assignment.value, step.scope, path->shape);
    if (!value) return Invalid(ParameterOf(assignment.value, assignment.path), value.error() + ".");
    if (!*value) continue;
    if ((*value)->type() == Type::kNull) {
      action.remove.push_back(action.placeholders.Path(path->steps));
      continue;
    }
    const Outcome<Value> stored =
        Stored(path->shape, **std::move(value), ParameterOf(assignment.value, assignment.path));
    if (!stored) return std::unexpected(stored.error());
    set(*path, *stored);
  }
  for (const Assignment& assignment : operation.add) {
    const auto path = resolve(assignment.path);
    if (!path) return Fail(FailureCode::kRefused, path.error() + ".");
    const auto value = Evaluate(assignment.value, step.scope, path->shape);
    if (!value) return Invalid(ParameterOf(assignment.value, assignment.path), value.error() + ".");
    if (!*value) continue;
    const std::string text = action.placeholders.Path(path->steps);
    action.set.push_back(fmt::format("{} = if_not_exists({}, {}) + {}", text, text, action.placeholders.Value(Value(0)),
                                     action.placeholders.Value(**value)));
  }
  for (const std::string& name : operation.remove) {
    const auto path = resolve(name);
    if (!path) return Fail(FailureCode::kRefused, path.error() + ".");
    action.remove.push_back(action.placeholders.Path(path->steps));
  }
  if (action.set.empty() && action.remove.empty() && !operation.change.empty() && !step.number) {
    return Invalid({}, fmt::format("There is nothing to change; give {}.", fmt::join(operation.change, " or ")));
  }
  return {};
}

Outcome<std::optional<Item>> WritePlan::ReadBefore(const Action& action) {
  Result<std::optional<Item>> before = execution_.calls.GetItem(action.table, action.key, true);
  if (!before) return std::unexpected(FailureOf(before.error()));
  return *std::move(before);
}

Made WritePlan::AddUpdate(const Step& step) {
  const Operation& operation = step.operation;
  Action action = NewAction(step, Action::Kind::kUpdate, Action::Purpose::kUpdate);
  const Entity& entity = *action.entity;
  const Table& table = execution_.design.TableOf(entity);
  action.condition = fmt::format("attribute_exists({})", action.placeholders.Name(table.partition.name));
  if (Made found = FindTarget(step, action); !found) return found;
  if (Outcome<void> assigned = AddAssignments(step, action); !assigned) return Failed(assigned.error());
  const auto touches = [&](std::string_view name) {
    return Contains(operation.remove, name) || Contains(operation.change, name) ||
           FindAssignment(operation.set, entity, name) != nullptr;
  };
  action.must_not_be_deleted = !entity.soft_delete.empty() && !touches(entity.soft_delete);
  if (action.must_not_be_deleted) action.condition = And(action.condition, NotDeleted(entity, action.placeholders));
  if (Outcome<void> own = AddOwnCondition(step, action); !own) return Failed(own.error());
  std::optional<Item> after;
  if (Made derived = Derive(action, after); !derived) return derived;
  entries_.push_back({&entity, action.purpose, std::move(after), action.key});
  actions_.push_back(std::move(action));
  return {};
}

Made WritePlan::AddDelete(const Step& step) {
  const Entity& entity = execution_.EntityOf(step.operation);
  const Table& table = execution_.design.TableOf(entity);
  if (!entity.soft_delete.empty()) {
    Action action = NewAction(step, Action::Kind::kUpdate, Action::Purpose::kDelete);
    action.condition = fmt::format("attribute_exists({})", action.placeholders.Name(table.partition.name));
    if (Made found = FindTarget(step, action); !found) return found;
    const Attribute& attribute = *entity.Find(entity.soft_delete);
    action.set.push_back(fmt::format("{} = {}", action.placeholders.Path(PathOf(attribute).steps),
                                     action.placeholders.Value(TimeValue(scope_.now_ms(), attribute.format))));
    action.must_not_be_deleted = true;
    action.condition = And(action.condition, NotDeleted(entity, action.placeholders));
    if (Outcome<void> own = AddOwnCondition(step, action); !own) return Failed(own.error());
    std::optional<Item> after;
    if (Made derived = Derive(action, after); !derived) return derived;
    entries_.push_back({&entity, action.purpose, std::move(after), action.key});
    actions_.push_back(std::move(action));
    return {};
  }
  Action action = NewAction(step, Action::Kind::kDelete, Action::Purpose::kDelete);
  if (Made found = FindTarget(step, action); !found) return found;
  if (Outcome<void> own = AddOwnCondition(step, action); !own) return Failed(own.error());
  std::optional<Item> before;
  if (!execution_.calls.keeps_designs() && !entity.unique.empty()) {
    Outcome<std::optional<Item>> read = ReadBefore(action);
    if (!read) return Failed(read.error());
    before = *std::move(read);
    const Result<bool> meets = MeetsCondition(action, before);
    if (!meets) return Failed(FailureOf(meets.error()));
    if (!*meets) return std::unexpected(Unmet(action, before));
    if (before) {
      if (Made guarded = AddGuards(action, before, std::nullopt); !guarded) return guarded;
    }
  }
  entries_.push_back({&entity, action.purpose, std::move(before), action.key});
  actions_.push_back(std::move(action));
  return {};
}

Made WritePlan::AddCheck(const Step& step) {
  Action action = NewAction(step, Action::Kind::kCheck, Action::Purpose::kCheck);
  if (Made found = FindTarget(step, action); !found) return found;
  if (Outcome<void> own = AddOwnCondition(step, action); !own) return Failed(own.error());
  if (!action.has_own_condition) {
    const Table& table = execution_.design.TableOf(*action.entity);
    action.condition =
        And(action.condition, fmt::format("attribute_exists({})", action.placeholders.Name(table.partition.name)));
  }
  actions_.push_back(std::move(action));
  return {};
}

Made WritePlan::BindReads() {
  for (const Read& read : reads_) {
    const Table& table = execution_.design.TableOf(*read.entity);
    const Item key = StartKeyOf(table, nullptr, read.item.view());
    const std::string table_name = execution_.TableOf(*read.entity);
    const auto is_same = [&](const Action& action) { return action.table == table_name && action.key == key; };
    auto target = std::ranges::find_if(actions_, is_same);
    if (target == actions_.end()) {
      Action check;
      check.kind = Action::Kind::kCheck;
      check.purpose = Action::Purpose::kRead;
      check.entity = read.entity;
      check.table = table_name;
      check.key = key;
      check.condition = fmt::format("attribute_exists({})", check.placeholders.Name(table.partition.name));
      actions_.push_back(std::move(check));
      target = actions_.end() - 1;
    }
    std::vector<std::string> fields;
    CollectFields(execution_.operation, read.name, fields);
    for (const std::string& field : fields) {
      const Attribute* const attribute = read.entity->Find(field);
      if (attribute != nullptr && !attribute->stored) continue;
      const auto value = attribute != nullptr ? execution_.deriver.Find(read.entity->name, field, read.item.view())
                                              : read.item.Find(field);
      target->Bind({attribute != nullptr ? PathOf(*attribute).steps : Path{field},
                    value ? std::optional<Value>(*value) : std::nullopt});
    }
  }
  return {};
}

}  // namespace taula::design
