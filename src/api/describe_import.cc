#include <optional>
#include <string>

#include "api/import_json.h"
#include "api/job_members.h"
#include "api/operations.h"
#include "api/table_request.h"

namespace taula::api {

void DescribeImport(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done, [](const codec::JsonStruct& json) { return json["ImportArn"].String(); },
      [&context](std::optional<std::string_view> arn) -> Result<std::string> {
        Constraints constraints;
        CheckRequiredLength(constraints, "importArn", arn, kJobArnLength);
        if (auto checked = constraints.Check(); !checked) return std::unexpected(checked.error());
        const auto job = context.engine.imports().Find(*arn);
        if (!job) return std::unexpected(job.error());
        return ImportAnswer(context, **job);
      });
}

}  // namespace taula::api
