#include <optional>
#include <string>

#include "api/member_bounds.h"
#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"

namespace taula::api {

// There are none: see global_tables.h.
void ListGlobalTables(Context& /*context*/, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done,
      [](const codec::JsonStruct& json) {
        Constraints constraints;
        CheckLength(constraints, "exclusiveStartGlobalTableName", json["ExclusiveStartGlobalTableName"].String(),
                    {.least = kResourceNameMin, .most = kResourceNameMax});
        const auto limit = json["Limit"].Integer();
        if (limit && *limit < 1) constraints.Violated("limit", std::to_string(*limit), ValueAtLeast(1));
        std::ignore = json["RegionName"].String();
        return constraints;
      },
      [](const Constraints& constraints) -> Result<std::string> {
        if (auto shape = constraints.Check(); !shape) return std::unexpected(shape.error());
        return std::string(R"({"GlobalTables":[]})");
      });
}

}  // namespace taula::api
