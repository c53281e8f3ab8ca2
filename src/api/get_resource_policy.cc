#include <optional>
#include <string>

#include "api/operations.h"
#include "api/policy_resource.h"
#include "api/table_request.h"
#include "codec/json_writer.h"

namespace taula::api {
namespace {

Result<std::string> Answer(Context& context, std::optional<std::string_view> arn) {
  Constraints constraints;
  CheckPolicyMembers(arn, std::nullopt, constraints);
  if (auto shape = constraints.Check(); !shape) return std::unexpected(shape.error());
  const auto resource = ResolvePolicyResource(context, *arn);
  if (!resource) return std::unexpected(resource.error());
  const auto kept = engine::FindResourcePolicy(context.engine.catalog(), *resource);
  if (!kept) return std::unexpected(kept.error());
  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  json.Key("Policy").String(kept->text);
  json.Key("RevisionId").String(kept->revision);
  json.EndObject();
  return answer;
}

}  // namespace

void GetResourcePolicy(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done, [](const codec::JsonStruct& json) { return json["ResourceArn"].String(); },
      [&context](std::optional<std::string_view> arn) { return Answer(context, arn); });
}

}  // namespace taula::api
