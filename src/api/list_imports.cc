#include <algorithm>
#include <string>
#include <vector>

#include "api/import_json.h"
#include "api/job_members.h"
#include "api/operations.h"
#include "api/table_request.h"

namespace taula::api {
namespace {

constexpr LengthBounds kTokenLength{.least = 112, .most = 1024};

JobPage Read(const codec::JsonStruct& json) {
  JobPage page;
  if (const auto arn = json["TableArn"].String()) page.table_arn = *arn;
  page.limit = json["PageSize"].Integer();
  if (const auto token = json["NextToken"].String()) page.token = *token;
  return page;
}

bool IsTokenText(std::string_view token) {
  return token.size() % 16 == 0 &&
         std::ranges::all_of(token, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

Result<void> Check(const JobPage& page) {
  Constraints constraints;
  CheckLength(constraints, "tableArn", page.table_arn, kTableArnLength);
  CheckRange(constraints, "pageSize", page.limit, {1, kJobsAtOnceMax});
  if (page.token && !IsTokenText(*page.token)) {
    constraints.Violated("nextToken", *page.token, MatchesPattern("([0-9a-f]{16})+"));
  }
  CheckLength(constraints, "nextToken", page.token, kTokenLength);
  return constraints.Check();
}

Result<std::string> Answer(Context& context, const JobPage& page) {
  if (auto checked = Check(page); !checked) return std::unexpected(checked.error());
  std::vector<catalog::ImportPtr> jobs = context.engine.imports().List();
  if (page.table_arn) {
    // By its name, also when the table is gone.
    const auto name = NameFromTableArn(context, *page.table_arn);
    if (!name) return std::unexpected(name.error());
    std::erase_if(jobs, [&](const catalog::ImportPtr& job) { return job->table.name != *name; });
  }
  const auto next = page.Cut("imports", jobs);
  if (!next) return std::unexpected(next.error());
  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  json.Key("ImportSummaryList").BeginArray();
  for (const catalog::ImportPtr& job : jobs) {
    json.BeginObject();
    WriteImportSummary(json, context, *job);
    json.EndObject();
  }
  json.EndArray();
  if (*next) json.Key("NextToken").String(**next);
  json.EndObject();
  return answer;
}

}  // namespace

void ListImports(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const JobPage& page) { return Answer(context, page); });
}

}  // namespace taula::api
