#include <optional>
#include <string>

#include "api/global_tables.h"
#include "api/operations.h"
#include "api/table_request.h"

namespace taula::api {

void CreateGlobalTable(Context& /*context*/, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done,
      [](const codec::JsonStruct& json) {
        Constraints constraints;
        CheckGlobalTableName(json["GlobalTableName"].String(), constraints);
        if (!json["ReplicationGroup"].List()) constraints.Missing("replicationGroup");
        return constraints;
      },
      [](const Constraints& constraints) -> Result<std::string> {
        if (auto shape = constraints.Check(); !shape) return std::unexpected(shape.error());
        return LegacyGlobalTablesNotSupported();
      });
}

}  // namespace taula::api
