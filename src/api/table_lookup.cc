#include "api/table_lookup.h"

#include <optional>
#include <string>

#include "api/request_record.h"
#include "api/table_name.h"

namespace taula::api {
namespace {

constexpr std::size_t kArnBytesMax = 1024;

bool IsArn(std::string_view name) { return name.starts_with("arn:"); }

}  // namespace

void CheckTableName(std::string_view name, std::string_view path, Constraints& constraints) {
  if (name.empty()) constraints.Violated(path, name, LengthAtLeast(1));
  if (IsArn(name)) {
    if (name.size() > kArnBytesMax) constraints.Violated(path, name, LengthAtMost(kArnBytesMax));
    return;
  }
  if (name.size() > kResourceNameMax) constraints.Violated(path, name, LengthAtMost(kResourceNameMax));
  if (!name.empty() && !IsResourceName(name)) {
    constraints.Violated(path, name, MatchesPattern(kResourceNamePattern));
  }
}

Result<void> CheckTableNameNotEmpty(std::string_view name, const DecodeFaults& faults) {
  if (!name.empty() || faults.Missing(Member::kTableName)) return {};
  Constraints constraints;
  constraints.ViolatedUnechoed("TableName", LengthAtLeast(1));
  return constraints.Check();
}

void CheckTableName(std::string_view name, const DecodeFaults& faults, Constraints& constraints) {
  if (faults.Missing(Member::kTableName)) {
    constraints.Missing("tableName");
  } else {
    CheckTableName(name, "tableName", constraints);
  }
}

void CheckIndexName(const std::optional<std::string>& name, Constraints& constraints) {
  constexpr std::string_view kPath = "indexName";
  if (!name) return;
  if (name->size() < kResourceNameMin) constraints.Violated(kPath, *name, LengthAtLeast(kResourceNameMin));
  if (name->size() > kResourceNameMax) constraints.Violated(kPath, *name, LengthAtMost(kResourceNameMax));
  if (!IsResourceName(*name)) constraints.Violated(kPath, *name, MatchesPattern(kResourceNamePattern));
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
  if (context.record != nullptr) {
    context.record->IsOn(table);
    if (std::optional<Error> refused = context.record->Refusal(context.engine.options())) {
      return std::unexpected(*std::move(refused));
    }
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
