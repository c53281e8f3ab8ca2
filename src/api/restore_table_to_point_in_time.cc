#include <optional>
#include <string>

#include "api/operations.h"
#include "api/restore_members.h"
#include "api/table_json.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "base/timestamp.h"
#include "engine/table_arn.h"

namespace taula::api {
namespace {

struct RestoreBody {
  std::optional<std::string> source_name;
  std::optional<std::string> source_arn;
  bool latest = false;
  std::optional<double> time;
  engine::RestoreRequest request;
  Constraints constraints;
};

RestoreBody Read(const codec::JsonStruct& json) {
  RestoreBody body;
  if (const auto name = json["SourceTableName"].String()) body.source_name = *name;
  if (const auto arn = json["SourceTableArn"].String()) body.source_arn = *arn;
  body.latest = json["UseLatestRestorableTime"].Boolean().value_or(false);
  body.time = json["RestoreDateTime"].Double();
  body.request = ReadRestore(json, body.constraints);
  return body;
}

Result<std::string> SourceName(Context& context, const RestoreBody& body) {
  if (body.source_name && body.source_arn) {
    return ValidationError("Must provide exactly one of: sourceTableArn, sourceTableName");
  }
  if (body.source_arn) {
    if (!engine::ParseArn(*body.source_arn)) return ValidationError("sourceTableArn is not a valid ARN");
    auto name = context.engine.tables().NameFromArn(*body.source_arn);
    if (!name) return Fail(ErrorCode::kTableNotFoundException, "Table not found");
    return *std::move(name);
  }
  return ResolveTableName(context, body.source_name);
}

Result<std::string> Answer(Context& context, const RestoreBody& body) {
  if (auto checked = body.constraints.Check(); !checked) return std::unexpected(checked.error());
  const auto source = SourceName(context, body);
  if (!source) return std::unexpected(source.error());
  if (body.latest && body.time) {
    return ValidationError("Both RestoreDateTime and UseLatestRestorableTime cannot be set");
  }
  if (!body.latest && !body.time) {
    return ValidationError("Either one of RestoreDateTime or UseLatestRestorableTime must be specified");
  }
  std::optional<std::int64_t> time_ms;
  if (body.time) time_ms = base::MillisecondsOf(*body.time);
  return TableAnswer("TableDescription", context.engine.backups().RestorePast(*source, time_ms, body.request));
}

}  // namespace

void RestoreTableToPointInTime(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const RestoreBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
