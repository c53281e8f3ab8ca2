#include <fmt/format.h>

#include <optional>
#include <string>

#include "api/global_tables.h"
#include "api/operations.h"
#include "api/table_request.h"

namespace taula::api {

void DescribeGlobalTable(Context& /*context*/, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done, [](const codec::JsonStruct& json) { return json["GlobalTableName"].String(); },
      [](std::optional<std::string_view> name) -> Result<std::string> {
        Constraints constraints;
        CheckGlobalTableName(name, constraints);
        if (auto shape = constraints.Check(); !shape) return std::unexpected(shape.error());
        return Fail(ErrorCode::kGlobalTableNotFoundException,
                    fmt::format("Global table not found: {}", GlobalTableDoesNotExist(*name)));
      });
}

}  // namespace taula::api
