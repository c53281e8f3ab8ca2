#include "design/guards.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "design/key_plan.h"
#include "design/page_token.h"
#include "design/terms.h"

namespace taula::design {
namespace {

// Where a key holds the attribute in lower or upper case, that is what counts.
Transform CaseOf(const Entity& entity, std::string_view attribute) {
  Transform found = Transform::kNone;
  const auto look = [&](const Template& text) {
    for (const Template::Part& part : text.parts()) {
      const bool changes_case = part.transform == Transform::kLower || part.transform == Transform::kUpper;
      if (part.reference == attribute && changes_case) found = part.transform;
    }
  };
  look(entity.key.partition);
  if (entity.key.sort) look(*entity.key.sort);
  for (const IndexKey& index : entity.indexes) {
    if (index.partition) look(*index.partition);
    if (index.sort) look(*index.sort);
  }
  return found;
}

std::string TextFor(const Entity& entity, std::string_view attribute, ValueView value) {
  if (std::optional<std::string> text = TextOf(value)) {
    return Apply(CaseOf(entity, attribute), 0, *text).value_or(*text);
  }
  std::string text;
  base::AppendBase64(text, value.encoded());
  return text;
}

}  // namespace

std::vector<Guard> GuardsOf(const Execution& execution, const Entity& entity, ValueView item) {
  const Table& table = execution.design.TableOf(entity);
  const Item attributes = execution.deriver.AttributesOf(entity.name, item);
  std::vector<Guard> guards;
  for (const std::vector<std::string>& rule : entity.unique) {
    std::string values;
    std::string meaning;
    bool complete = true;
    for (const std::string& name : rule) {
      std::optional<ValueView> value = execution.deriver.Find(entity.name, name, item);
      if (!value) value = attributes.Find(name);
      if (!value || value->type() == Type::kNull) {
        complete = false;
        break;
      }
      const std::string text = TextFor(entity, name, *value);
      values.append(fmt::format("#{}", text));
      meaning.append(fmt::format("{}{} '{}'", meaning.empty() ? "" : " and ", name, text));
    }
    if (!complete) continue;
    const std::string text = fmt::format("UNIQUE#{}#{}{}", entity.name, fmt::join(rule, ","), values);
    Item key{{table.partition.name, Value(text)}};
    if (table.sort) key.Set(table.sort->name, Value(text));
    guards.push_back({rule, std::move(key), fmt::format("{} of a {}", meaning, entity.name)});
  }
  return guards;
}

Outcome<bool> IsHeldByAnother(const Execution& execution, const Entity& entity, const Guard& guard, ValueView item) {
  const Table& table = execution.design.TableOf(entity);
  Scope scope(execution.scope.now_ms());
  const Item attributes = execution.deriver.AttributesOf(entity.name, item);
  for (const std::string& name : guard.rule) {
    if (const auto value = attributes.Find(name)) scope.Set(name, Value(*value));
  }
  Operation query;
  query.kind = OperationKind::kQuery;
  query.entities = {entity.name};
  query.by = guard.rule;
  query.include_deleted = true;
  for (const Index& index : table.indexes) {
    if (!IsIn(execution.design, entity, &index)) continue;
    query.index = index.name;
    const auto plan = PlanKeys(execution.design, query);
    if (!plan || !plan->is_portable() || !plan->filtered_by.empty()) continue;
    const Outcome<std::vector<Item>> found = ReadSome(execution, query, scope, 2);
    if (!found) return std::unexpected(found.error());
    const Item own = StartKeyOf(table, nullptr, item);
    return std::ranges::any_of(*found,
                               [&](const Item& each) { return StartKeyOf(table, nullptr, each.view()) != own; });
  }
  return false;
}

}  // namespace taula::design
