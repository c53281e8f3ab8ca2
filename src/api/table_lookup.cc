#include "api/table_lookup.h"

#include <algorithm>
#include <optional>
#include <string>

namespace taula::api {
namespace {

constexpr std::string_view kNamePattern = "[a-zA-Z0-9_.-]+";
constexpr std::size_t kNameBytesMax = 255;
constexpr std::size_t kIndexNameBytesMin = 3;
constexpr std::size_t kArnBytesMax = 1024;

bool IsArn(std::string_view name) { return name.starts_with("arn:"); }

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

bool IsName(std::string_view name) { return !name.empty() && std::ranges::all_of(name, IsNameCharacter); }

}  // namespace

void CheckTableName(std::string_view name, std::string_view path, Constraints& constraints) {
  if (name.empty()) constraints.Violated(path, name, LengthAtLeast(1));
  if (IsArn(name)) {
    if (name.size() > kArnBytesMax) constraints.Violated(path, name, LengthAtMost(kArnBytesMax));
    return;
  }
  if (name.size() > kNameBytesMax) constraints.Violated(path, name, LengthAtMost(kNameBytesMax));
  if (!name.empty() && !IsName(name)) {
    constraints.Violated(path, name, MatchesPattern(kNamePattern));
  }
}

void CheckIndexName(const std::optional<std::string>& name, Constraints& constraints) {
  constexpr std::string_view kPath = "indexName";
  if (!name) return;
  if (name->size() < kIndexNameBytesMin) constraints.Violated(kPath, *name, LengthAtLeast(kIndexNameBytesMin));
  if (name->size() > kNameBytesMax) constraints.Violated(kPath, *name, LengthAtMost(kNameBytesMax));
  if (!IsName(*name)) constraints.Violated(kPath, *name, MatchesPattern(kNamePattern));
}

Result<catalog::TablePtr> LookUpTable(const Context& context, std::string_view name_or_arn) {
  catalog::TablePtr table;
  if (IsArn(name_or_arn)) {
    if (const std::optional<std::string> name = context.engine.tables().NameFromArn(name_or_arn)) {
      table = context.engine.FindTable(*name);
    }
  } else {
    table = context.engine.FindTable(name_or_arn);
  }
  if (table == nullptr || table->status == TableStatus::kCreating || table->status == TableStatus::kDeleting) {
    return Fail(ErrorCode::kResourceNotFoundException, "Requested resource not found");
  }
  return table;
}

Result<const catalog::Index*> LookUpIndex(const catalog::Table& table, const std::optional<std::string>& name) {
  if (!name) return nullptr;
  const catalog::Index* index = table.FindIndex(*name);
  if (index == nullptr || index->status == IndexStatus::kDeleting) {
    return ValidationError("The table does not have the specified index: " + *name);
  }
  if (index->status == IndexStatus::kCreating) {
    return ValidationError("Cannot read from backfilling global secondary index: " + *name);
  }
  return index;
}

}  // namespace taula::api
