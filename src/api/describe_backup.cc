#include <optional>
#include <string>

#include "api/backup_arn.h"
#include "api/backup_json.h"
#include "api/operations.h"
#include "api/table_request.h"

namespace taula::api {

void DescribeBackup(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, ReadBackupArn,
                     [&context](const std::optional<std::string>& arn) -> Result<std::string> {
                       if (auto checked = CheckBackupArn(arn); !checked) return std::unexpected(checked.error());
                       const auto backup = context.engine.backups().Find(*arn);
                       if (!backup) return std::unexpected(backup.error());
                       return BackupDescriptionAnswer(context, **backup, "AVAILABLE");
                     });
}

}  // namespace taula::api
