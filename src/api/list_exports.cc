#include <string>
#include <vector>

#include "api/job_members.h"
#include "api/operations.h"
#include "api/table_request.h"
#include "catalog/job_record.h"
#include "codec/json_writer.h"

namespace taula::api {
namespace {

JobPage Read(const codec::JsonStruct& json) {
  JobPage page;
  if (const auto arn = json["TableArn"].String()) page.table_arn = *arn;
  page.limit = json["MaxResults"].Integer();
  if (const auto token = json["NextToken"].String()) page.token = *token;
  return page;
}

Result<void> Check(const JobPage& page) {
  Constraints constraints;
  CheckLength(constraints, "tableArn", page.table_arn, kTableArnLength);
  CheckRange(constraints, "maxResults", page.limit, {1, kJobsAtOnceMax});
  return constraints.Check();
}

// A table's exports are listed as long as it is there, and not for another one of
// its name.
Result<void> KeepThoseOf(const Context& context, const std::string& table_arn, std::vector<catalog::ExportPtr>& jobs) {
  const auto name = NameFromTableArn(context, table_arn);
  if (!name) return std::unexpected(name.error());
  const catalog::TablePtr table = *name ? context.engine.FindTable(**name) : nullptr;
  std::erase_if(jobs, [&](const catalog::ExportPtr& job) { return table == nullptr || job->table_id != table->id; });
  return {};
}

Result<std::string> Answer(Context& context, const JobPage& page) {
  if (auto checked = Check(page); !checked) return std::unexpected(checked.error());
  std::vector<catalog::ExportPtr> jobs = context.engine.exports().List();
  if (page.table_arn) {
    if (auto kept = KeepThoseOf(context, *page.table_arn, jobs); !kept) return std::unexpected(kept.error());
  }
  const auto next = page.Cut("exports", jobs);
  if (!next) return std::unexpected(next.error());
  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  json.Key("ExportSummaries").BeginArray();
  for (const catalog::ExportPtr& job : jobs) {
    json.BeginObject();
    json.Key("ExportArn").String(context.engine.exports().Arn(*job));
    json.Key("ExportStatus").String(catalog::NameOf(job->status));
    json.Key("ExportType").String(job->period ? "INCREMENTAL_EXPORT" : "FULL_EXPORT");
    json.EndObject();
  }
  json.EndArray();
  if (*next) json.Key("NextToken").String(**next);
  json.EndObject();
  return answer;
}

}  // namespace

void ListExports(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const JobPage& page) { return Answer(context, page); });
}

}  // namespace taula::api
