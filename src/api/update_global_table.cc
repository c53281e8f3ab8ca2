#include <optional>
#include <string>

#include "api/global_tables.h"
#include "api/operations.h"
#include "api/table_request.h"

namespace taula::api {
namespace {

struct UpdateBody {
  std::string name;
  std::size_t updates = 0;
  bool creates = false;
  Constraints constraints;
};

UpdateBody Read(const codec::JsonStruct& json) {
  UpdateBody body;
  const auto name = json["GlobalTableName"].String();
  CheckGlobalTableName(name, body.constraints);
  body.name = name.value_or("");
  const auto updates = json["ReplicaUpdates"].List();
  if (!updates) {
    body.constraints.Missing("replicaUpdates");
    return body;
  }
  body.updates = updates->size();
  for (const codec::JsonValue each : *updates) {
    const auto update = each.Struct("ReplicaUpdate");
    if (update && (*update)["Create"].present()) body.creates = true;
  }
  return body;
}

Result<std::string> Answer(const UpdateBody& body) {
  if (auto shape = body.constraints.Check(); !shape) return std::unexpected(shape.error());
  if (body.updates == 0) return ValidationError("One or more parameter values were invalid");
  if (body.creates) return LegacyGlobalTablesNotSupported();
  return Fail(ErrorCode::kGlobalTableNotFoundException, GlobalTableDoesNotExist(body.name));
}

}  // namespace

void UpdateGlobalTable(Context& /*context*/, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, Answer);
}

}  // namespace taula::api
