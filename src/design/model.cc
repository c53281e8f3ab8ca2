#include "design/model.h"

#include <algorithm>

namespace taula::design {
namespace {

template <typename T, typename Name>
const T* FindIn(const std::vector<T>& all, std::string_view name, Name T::*member) {
  const auto found = std::ranges::find(all, name, member);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

const Index* Table::FindIndex(std::string_view index) const { return FindIn(indexes, index, &Index::name); }

const Attribute* Entity::Find(std::string_view attribute) const {
  return FindIn(attributes, attribute, &Attribute::name);
}

const IndexKey* Entity::FindIndex(std::string_view index) const { return FindIn(indexes, index, &IndexKey::index); }

const Table* Design::FindTable(std::string_view id) const { return FindIn(tables, id, &Table::id); }

const Entity* Design::FindEntity(std::string_view entity) const { return FindIn(entities, entity, &Entity::name); }

const Operation* Design::FindOperation(std::string_view operation) const {
  return FindIn(operations, operation, &Operation::name);
}

std::string Design::TableName(const Table& table, std::string_view stage_or_empty) const {
  const std::string chosen(stage_or_empty.empty() ? std::string_view(stage) : stage_or_empty);
  return table.name.Render([&](std::string_view) { return std::optional(chosen); }).value_or(table.name.text());
}

}  // namespace taula::design
