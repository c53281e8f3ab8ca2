#include "catalog/table.h"

#include <algorithm>

namespace taula::catalog {

bool KeySchema::Names(std::string_view attribute) const {
  const auto is_it = [attribute](const KeyAttribute& key) { return key.name == attribute; };
  return std::ranges::any_of(partition, is_it) || std::ranges::any_of(sort, is_it);
}

bool Index::Projects(std::string_view attribute, const KeySchema& table_key) const {
  if (projection.type == ProjectionType::kAll) return true;
  if (key.Names(attribute) || table_key.Names(attribute)) return true;
  return projection.type == ProjectionType::kInclude &&
         std::ranges::find(projection.non_key_attributes, attribute) != projection.non_key_attributes.end();
}

const Index* Table::FindIndex(std::string_view index_name) const {
  const auto found = std::ranges::find(indexes, index_name, &Index::name);
  return found == indexes.end() ? nullptr : &*found;
}

}  // namespace taula::catalog
