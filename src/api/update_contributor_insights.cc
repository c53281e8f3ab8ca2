#include <optional>
#include <string>

#include "api/insights_members.h"
#include "api/operations.h"
#include "api/table_lookup.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "codec/json_writer.h"
#include "engine/contributor_insights.h"

namespace taula::api {
namespace {

struct UpdateBody {
  std::optional<std::string> name_or_arn;
  std::optional<std::string> index;
  engine::InsightsChange change;
  Constraints constraints;
};

UpdateBody Read(const codec::JsonStruct& json) {
  UpdateBody body;
  if (const auto name = json["TableName"].String()) body.name_or_arn = *name;
  if (const auto index = json["IndexName"].String()) body.index = *index;
  CheckIndexName(body.index, body.constraints);
  const auto action = json["ContributorInsightsAction"].String();
  if (!action) {
    body.constraints.Missing("contributorInsightsAction");
  } else if (*action != "ENABLE" && *action != "DISABLE") {
    body.constraints.Violated("contributorInsightsAction", *action, IsOneOf("[ENABLE, DISABLE]"));
  }
  body.change.enable = action == "ENABLE";
  // Without a mode it is the wider one, whatever it was before.
  const std::string_view mode = json["ContributorInsightsMode"].String().value_or(kAllKeysMode);
  if (mode != kAllKeysMode && mode != kThrottledKeysMode) {
    body.constraints.Violated("contributorInsightsMode", mode,
                              IsOneOf("[ACCESSED_AND_THROTTLED_KEYS, THROTTLED_KEYS]"));
  }
  body.change.throttled_keys_only = mode == kThrottledKeysMode;
  return body;
}

std::string Write(const std::string& table, const UpdateBody& body, const engine::InsightsUpdate& update) {
  const std::string_view status =
      body.change.enable ? (update.changed ? "ENABLING" : "ENABLED") : (update.changed ? "DISABLING" : "DISABLED");
  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  json.Key("TableName").String(table);
  if (body.index) json.Key("IndexName").String(*body.index);
  json.Key("ContributorInsightsStatus").String(status);
  if (update.now) json.Key("ContributorInsightsMode").String(InsightsModeName(update.now->throttled_keys_only));
  json.EndObject();
  return answer;
}

Result<std::string> Answer(Context& context, const UpdateBody& body) {
  const auto name = ResolveTableName(context, body.name_or_arn);
  if (!name) return std::unexpected(name.error());
  if (auto shape = body.constraints.Check(); !shape) return std::unexpected(shape.error());
  const auto update = engine::UpdateInsights(context.engine.catalog(), *name, body.index, body.change,
                                             context.engine.options().clock->NowMs());
  if (!update) return std::unexpected(update.error());
  return Write(*name, body, *update);
}

}  // namespace

void UpdateContributorInsights(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const UpdateBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
