#include <optional>
#include <string>

#include "api/operations.h"
#include "api/table_json.h"
#include "api/table_name.h"
#include "api/table_request.h"

namespace taula::api {

void DeleteTable(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done, [](const codec::JsonStruct& json) { return json["TableName"].String(); },
      [&context](std::optional<std::string_view> name_or_arn) -> Result<std::string> {
        const auto name = ResolveTableName(context, name_or_arn);
        if (!name) return std::unexpected(name.error());
        return TableAnswer("TableDescription", context.engine.backups().DeleteTable(*name));
      });
}

}  // namespace taula::api
