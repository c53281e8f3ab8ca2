#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "api/arn_page.h"
#include "api/constraints.h"
#include "api/insights_members.h"
#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "base/base64.h"
#include "codec/json_writer.h"
#include "engine/contributor_insights.h"
#include "engine/table_update.h"

namespace taula::api {
namespace {

constexpr std::int64_t kPageMax = 100;

struct ListBody {
  std::optional<std::string> name_or_arn;
  std::optional<std::string> token;
  std::optional<std::int64_t> page_size;
};

ListBody Read(const codec::JsonStruct& json) {
  ListBody body;
  if (const auto name = json["TableName"].String()) body.name_or_arn = *name;
  if (const auto token = json["NextToken"].String()) body.token = *token;
  body.page_size = json["MaxResults"].Integer();
  return body;
}

// What insights are on for: a table, or an index of one.
struct Listed {
  std::string table;
  std::string index;
  bool throttled_keys_only = false;
};

// Names have no such character.
std::string TokenOf(const Listed& listed) {
  std::string token;
  base::AppendBase64(token, listed.table + "/" + listed.index);
  return token;
}

void Append(const catalog::Table& table, std::vector<Listed>& all) {
  const auto add = [&](const catalog::Index* index) {
    const auto& insights = engine::InsightsOf(table, index);
    if (!insights || !insights->enabled) return;
    all.push_back({table.name, index == nullptr ? "" : index->name, insights->throttled_keys_only});
  };
  add(nullptr);
  for (const catalog::Index& index : table.indexes) add(&index);
}

Result<std::vector<Listed>> Collect(Context& context, const ListBody& body) {
  std::vector<Listed> all;
  if (!body.name_or_arn) {
    for (const catalog::TablePtr& table : context.engine.catalog().All()) Append(*table, all);
    return all;
  }
  const auto name = ResolveTableName(context, body.name_or_arn);
  if (!name) return std::unexpected(name.error());
  const catalog::TablePtr table = context.engine.FindTable(*name);
  if (table == nullptr) return engine::TableNotFound(*name);
  Append(*table, all);
  return all;
}

void WriteSummary(codec::JsonWriter& json, const Listed& listed) {
  json.BeginObject();
  json.Key("TableName").String(listed.table);
  if (!listed.index.empty()) json.Key("IndexName").String(listed.index);
  json.Key("ContributorInsightsStatus").String("ENABLED");
  json.Key("ContributorInsightsMode").String(InsightsModeName(listed.throttled_keys_only));
  json.EndObject();
}

Result<std::string> Answer(Context& context, const ListBody& body) {
  Constraints constraints;
  if (body.page_size && *body.page_size > kPageMax) {
    constraints.Violated("maxResults", std::to_string(*body.page_size), ValueAtMost(kPageMax));
  }
  if (body.page_size && *body.page_size < 1) {
    constraints.Violated("maxResults", std::to_string(*body.page_size), ValueAtLeast(1));
  }
  if (auto shape = constraints.Check(); !shape) return std::unexpected(shape.error());
  auto all = Collect(context, body);
  if (!all) return std::unexpected(all.error());
  SkipThrough(*all, body.token, TokenOf);
  const bool more = CutTo(*all, static_cast<std::size_t>(body.page_size.value_or(kPageMax)));

  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  json.Key("ContributorInsightsSummaries").BeginArray();
  for (const Listed& listed : *all) WriteSummary(json, listed);
  json.EndArray();
  if (more) json.Key("NextToken").String(TokenOf(all->back()));
  json.EndObject();
  return answer;
}

}  // namespace

void ListContributorInsights(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const ListBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
