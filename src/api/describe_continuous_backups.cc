#include <optional>
#include <string>

#include "api/backup_json.h"
#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"

namespace taula::api {

void DescribeContinuousBackups(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done, [](const codec::JsonStruct& json) { return json["TableName"].String(); },
      [&context](std::optional<std::string_view> name_or_arn) -> Result<std::string> {
        const auto name = ResolveTableName(context, name_or_arn);
        if (!name) return std::unexpected(name.error());
        const auto window = context.engine.backups().Window(*name);
        if (!window) return std::unexpected(window.error());
        return ContinuousBackupsAnswer(*window);
      });
}

}  // namespace taula::api
