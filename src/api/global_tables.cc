#include "api/global_tables.h"

#include <fmt/format.h>

#include "api/member_bounds.h"
#include "api/table_name.h"
#include "engine/index_rules.h"

namespace taula::api {

void CheckGlobalTableName(std::optional<std::string_view> name, Constraints& constraints) {
  constexpr std::string_view kPath = "globalTableName";
  CheckRequiredLength(constraints, kPath, name, {.least = kResourceNameMin, .most = kResourceNameMax});
  if (name && !IsResourceName(*name)) constraints.Violated(kPath, *name, MatchesPattern(kResourceNamePattern));
}

std::unexpected<Error> LegacyGlobalTablesNotSupported() {
  return engine::InvalidParameter(
      "DynamoDB global tables version 2017.11.29 is not supported. We recommend using DynamoDB global tables version "
      "2019.11.21, instead of version 2017.11.29 (Legacy).");
}

std::string GlobalTableDoesNotExist(std::string_view name) {
  return fmt::format("Global table with name: '{}' does not exist.", name);
}

}  // namespace taula::api
