#include <optional>
#include <string>

#include "api/insights_members.h"
#include "api/operations.h"
#include "api/table_lookup.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "codec/json_writer.h"
#include "engine/contributor_insights.h"
#include "engine/table_update.h"

namespace taula::api {
namespace {

struct DescribeBody {
  std::optional<std::string> name_or_arn;
  std::optional<std::string> index;
};

DescribeBody Read(const codec::JsonStruct& json) {
  DescribeBody body;
  if (const auto name = json["TableName"].String()) body.name_or_arn = *name;
  if (const auto index = json["IndexName"].String()) body.index = *index;
  return body;
}

std::string Write(const catalog::Table& table, const catalog::Index* index) {
  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  json.Key("TableName").String(table.name);
  if (index != nullptr) json.Key("IndexName").String(index->name);
  const auto& insights = engine::InsightsOf(table, index);
  const std::vector<engine::KeyRule> rules = engine::ActiveRules(table, index);
  if (!rules.empty()) {
    json.Key("ContributorInsightsRuleList").BeginArray();
    for (const engine::KeyRule rule : rules) json.String(engine::RuleName(rule, table, index));
    json.EndArray();
  }
  json.Key("ContributorInsightsStatus").String(insights && insights->enabled ? "ENABLED" : "DISABLED");
  if (insights) {
    json.Key("LastUpdateDateTime").Double(static_cast<double>(insights->changed_ms) / 1000);
    json.Key("ContributorInsightsMode").String(InsightsModeName(insights->throttled_keys_only));
  }
  json.EndObject();
  return answer;
}

Result<std::string> Answer(Context& context, const DescribeBody& body) {
  const auto name = ResolveTableName(context, body.name_or_arn);
  if (!name) return std::unexpected(name.error());
  Constraints constraints;
  CheckIndexName(body.index, constraints);
  if (auto shape = constraints.Check(); !shape) return std::unexpected(shape.error());
  const catalog::TablePtr table = context.engine.FindTable(*name);
  if (table == nullptr) return engine::TableNotFound(*name);
  const auto index = engine::FindInsightsIndex(*table, body.index);
  if (!index) return std::unexpected(index.error());
  return Write(*table, *index);
}

}  // namespace

void DescribeContributorInsights(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const DescribeBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
