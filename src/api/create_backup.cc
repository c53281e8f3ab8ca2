#include <algorithm>
#include <optional>
#include <string>

#include "api/backup_json.h"
#include "api/constraints.h"
#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"

namespace taula::api {
namespace {

struct CreateBackupBody {
  std::optional<std::string> table;
  std::optional<std::string> name;
};

Result<void> Check(const CreateBackupBody& body) {
  Constraints constraints;
  if (!body.name) {
    constraints.Missing("backupName");
  } else {
    if (!IsResourceName(*body.name))
      constraints.Violated("backupName", *body.name, MatchesPattern(kResourceNamePattern));
    if (body.name->size() < kResourceNameMin) {
      constraints.Violated("backupName", *body.name, LengthAtLeast(kResourceNameMin));
    }
    if (body.name->size() > kResourceNameMax) {
      constraints.Violated("backupName", *body.name, LengthAtMost(kResourceNameMax));
    }
  }
  return constraints.Check();
}

}  // namespace

void CreateBackup(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done,
      [](const codec::JsonStruct& json) {
        CreateBackupBody decoded;
        if (const auto table = json["TableName"].String()) decoded.table = *table;
        if (const auto name = json["BackupName"].String()) decoded.name = *name;
        return decoded;
      },
      [&context](const CreateBackupBody& decoded) -> Result<std::string> {
        if (auto checked = Check(decoded); !checked) return std::unexpected(checked.error());
        const auto table = ResolveTableName(context, decoded.table);
        if (!table) return std::unexpected(table.error());
        const auto backup = context.engine.backups().Create(*table, *decoded.name);
        if (!backup) return std::unexpected(backup.error());
        std::string answer;
        codec::JsonWriter json(answer);
        json.BeginObject();
        // It is there by now, but Amazon says so only to who asks again.
        WriteBackupDetails(json, context.engine.backups(), **backup, "CREATING");
        json.EndObject();
        return answer;
      });
}

}  // namespace taula::api
