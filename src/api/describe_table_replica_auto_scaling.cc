#include <optional>
#include <string>

#include "api/global_tables.h"
#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"

namespace taula::api {

// Only global tables have it, whether or not there is a table of the name.
void DescribeTableReplicaAutoScaling(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done, [](const codec::JsonStruct& json) { return json["TableName"].String(); },
      [&context](std::optional<std::string_view> name_or_arn) -> Result<std::string> {
        const auto name = ResolveTableName(context, name_or_arn);
        if (!name) return name;
        return Fail(ErrorCode::kResourceNotFoundException, GlobalTableDoesNotExist(*name));
      });
}

}  // namespace taula::api
