#include <optional>
#include <string>

#include "api/export_json.h"
#include "api/job_members.h"
#include "api/operations.h"
#include "api/table_request.h"

namespace taula::api {

void DescribeExport(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done, [](const codec::JsonStruct& json) { return json["ExportArn"].String(); },
      [&context](std::optional<std::string_view> arn) -> Result<std::string> {
        Constraints constraints;
        CheckRequiredLength(constraints, "exportArn", arn, kJobArnLength);
        if (auto checked = constraints.Check(); !checked) return std::unexpected(checked.error());
        const auto job = context.engine.exports().Find(*arn);
        if (!job) return std::unexpected(job.error());
        return ExportAnswer(context, **job);
      });
}

}  // namespace taula::api
