// Key attributes are scalars: an expression cannot lead inside of one.
#pragma once

#include <fmt/format.h>

#include "catalog/table.h"
#include "taula/error.h"

namespace taula::api {

// `Bound` is a condition, a projection or an update.
template <typename Bound>
[[nodiscard]] Result<void> CheckKeyPaths(const catalog::Table& table, const Bound& bound) {
  constexpr std::string_view kMessage =
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: {}: {}";
  const auto check = [&](const catalog::KeySchema& key, std::string_view role) -> Result<void> {
    for (const auto* attributes : {&key.partition, &key.sort}) {
      for (const catalog::KeyAttribute& attribute : *attributes) {
        if (bound.NamesInside(attribute.name)) return ValidationError(fmt::format(kMessage, role, attribute.name));
      }
    }
    return {};
  };
  Result<void> ok = check(table.key, "Key");
  for (const catalog::Index& index : table.indexes) {
    if (ok) ok = check(index.key, "IndexKey");
  }
  return ok;
}

}  // namespace taula::api
