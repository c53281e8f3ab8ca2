#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "api/arn_page.h"
#include "api/backup_arn.h"
#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "codec/json_writer.h"

namespace taula::api {
namespace {

constexpr std::int64_t kLimitMax = 100;
constexpr std::array<std::string_view, 4> kTypes = {"USER", "SYSTEM", "AWS_BACKUP", "ALL"};

struct ListBackupsBody {
  std::optional<std::string> table;
  std::optional<std::int64_t> limit;
  std::optional<double> lower;  // seconds; included
  std::optional<double> upper;  // not included
  std::optional<std::string> start_arn;
  std::string type = "USER";
};

ListBackupsBody Read(const codec::JsonStruct& json) {
  ListBackupsBody body;
  if (const auto table = json["TableName"].String()) body.table = *table;
  body.limit = json["Limit"].Integer();
  body.lower = json["TimeRangeLowerBound"].Double();
  body.upper = json["TimeRangeUpperBound"].Double();
  if (const auto arn = json["ExclusiveStartBackupArn"].String()) body.start_arn = *arn;
  if (const auto type = json["BackupType"].String()) body.type = *type;
  return body;
}

Result<void> Check(const ListBackupsBody& body) {
  Constraints constraints;
  CheckLimit(constraints, body.limit, kLimitMax);
  CheckLength(constraints, "exclusiveStartBackupArn", body.start_arn, kBackupArnLength);
  if (std::ranges::find(kTypes, body.type) == kTypes.end()) {
    constraints.Violated("backupType", body.type, IsOneOf("[ALL, AWS_BACKUP, USER, SYSTEM]"));
  }
  return constraints.Check();
}

bool IsWanted(const ListBackupsBody& body, const std::optional<std::string>& table, const catalog::Backup& backup) {
  const double created = static_cast<double>(backup.created_ms) / 1000;
  if (table && backup.table.name != *table) return false;
  if (body.lower && created < *body.lower) return false;
  if (body.upper && created >= *body.upper) return false;
  return body.type == "ALL" || body.type == (backup.of_deleted_table ? "SYSTEM" : "USER");
}

void WriteSummary(codec::JsonWriter& json, Context& context, const catalog::Backup& backup) {
  json.BeginObject();
  json.Key("TableName").String(backup.table.name);
  json.Key("TableId").String(backup.table.id);
  json.Key("TableArn").String(context.engine.tables().Arn(backup.table.name));
  json.Key("BackupArn").String(context.engine.backups().Arn(backup));
  json.Key("BackupName").String(backup.name);
  json.Key("BackupCreationDateTime").Double(static_cast<double>(backup.created_ms) / 1000);
  if (backup.of_deleted_table) {
    json.Key("BackupExpiryDateTime").Double(static_cast<double>(engine::Backups::ExpiryMs(backup)) / 1000);
  }
  json.Key("BackupStatus").String("AVAILABLE");
  json.Key("BackupType").String(backup.of_deleted_table ? "SYSTEM" : "USER");
  json.Key("BackupSizeBytes").Integer(backup.bytes);
  json.EndObject();
}

Result<std::string> Answer(Context& context, const ListBackupsBody& body) {
  if (auto checked = Check(body); !checked) return std::unexpected(checked.error());
  std::optional<std::string> table;
  if (body.table) {
    auto resolved = ResolveTableName(context, *body.table);
    if (!resolved) return std::unexpected(resolved.error());
    table = *std::move(resolved);
  }
  const engine::Backups& backups = context.engine.backups();
  std::vector<catalog::BackupPtr> all = backups.List();
  SkipThrough(all, body.start_arn, [&](const catalog::BackupPtr& backup) { return backups.Arn(*backup); });
  std::erase_if(all, [&](const catalog::BackupPtr& backup) { return !IsWanted(body, table, *backup); });
  const bool more = CutTo(all, static_cast<std::size_t>(body.limit.value_or(kLimitMax)));

  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  json.Key("BackupSummaries").BeginArray();
  for (const catalog::BackupPtr& backup : all) WriteSummary(json, context, *backup);
  json.EndArray();
  if (more) json.Key("LastEvaluatedBackupArn").String(backups.Arn(*all.back()));
  json.EndObject();
  return answer;
}

}  // namespace

void ListBackups(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const ListBackupsBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
