#include <optional>
#include <string>

#include "api/backup_arn.h"
#include "api/operations.h"
#include "api/restore_members.h"
#include "api/table_json.h"
#include "api/table_request.h"

namespace taula::api {
namespace {

struct RestoreBody {
  std::optional<std::string> backup_arn;
  engine::RestoreRequest request;
  Constraints constraints;
};

}  // namespace

void RestoreTableFromBackup(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done,
      [](const codec::JsonStruct& json) {
        RestoreBody decoded;
        decoded.backup_arn = ReadBackupArn(json);
        decoded.request = ReadRestore(json, decoded.constraints);
        CheckRequiredLength(decoded.constraints, "backupArn", decoded.backup_arn, kBackupArnLength);
        return decoded;
      },
      [&context](const RestoreBody& decoded) -> Result<std::string> {
        if (auto checked = decoded.constraints.Check(); !checked) return std::unexpected(checked.error());
        return TableAnswer("TableDescription", context.engine.backups().Restore(*decoded.backup_arn, decoded.request));
      });
}

}  // namespace taula::api
