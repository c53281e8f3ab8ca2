#include "api/update_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "api/key_paths.h"
#include "value/type_name.h"

namespace taula::api {
namespace {

Result<void> CheckWritesNoKey(const catalog::KeySchema& key, const expression::Update& update) {
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const catalog::KeyAttribute& attribute : *attributes) {
      if (!update.Writes(attribute.name)) continue;
      return ValidationError(
          fmt::format("One or more parameter values were invalid: Cannot update attribute {}. This attribute is part "
                      "of the key",
                      attribute.name));
    }
  }
  return {};
}

Result<void> CheckIndexKeyTypes(const catalog::Index& index, const expression::Update& update) {
  for (const auto* attributes : {&index.key.partition, &index.key.sort}) {
    for (const catalog::KeyAttribute& attribute : *attributes) {
      const std::optional<Type> type = update.StaticType(attribute.name);
      if (!type || *type == attribute.type) continue;
      return ValidationError(fmt::format(
          "One or more parameter values were invalid: Type mismatch for Index Key {} Expected: {} Actual: {} "
          "IndexName: {}",
          attribute.name, value::TypeName(attribute.type), value::TypeName(*type), index.name));
    }
  }
  return {};
}

Result<void> CheckIndexKeyTypes(const catalog::Table& table, const expression::Update& update) {
  const auto fits = [&](const catalog::Index& index) { return CheckIndexKeyTypes(index, update).has_value(); };
  if (std::ranges::all_of(table.indexes, fits)) return {};
  // Of several indexes with the attribute, the first by name is told.
  std::vector<const catalog::Index*> indexes;
  for (const catalog::Index& index : table.indexes) indexes.push_back(&index);
  std::ranges::sort(indexes, {}, [](const catalog::Index* index) -> const std::string& { return index->name; });
  for (const catalog::Index* index : indexes) {
    if (Result<void> ok = CheckIndexKeyTypes(*index, update); !ok) return ok;
  }
  return {};
}

}  // namespace

Result<void> CheckUpdate(const catalog::Table& table, const expression::Update& update) {
  if (Result<void> ok = CheckWritesNoKey(table.key, update); !ok) return ok;
  if (Result<void> ok = CheckIndexKeyTypes(table, update); !ok) return ok;
  return CheckKeyPaths(table, update);
}

}  // namespace taula::api
