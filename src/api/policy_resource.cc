#include "api/policy_resource.h"

#include <fmt/format.h>

#include "api/member_bounds.h"
#include "codec/json_writer.h"
#include "engine/index_rules.h"
#include "engine/table_arn.h"

namespace taula::api {

void CheckPolicyMembers(std::optional<std::string_view> arn, std::optional<std::string_view> expected_revision,
                        Constraints& constraints) {
  CheckRequiredLength(constraints, "resourceArn", arn, {.least = 1, .most = 1283});
  CheckLength(constraints, "expectedRevisionId", expected_revision, {.least = 1, .most = 255});
}

Result<engine::PolicyResource> ResolvePolicyResource(const Context& context, std::string_view arn) {
  constexpr std::string_view kTablePrefix = "table/";
  constexpr std::string_view kStreamPart = "/stream/";
  if (!engine::LooksLikeArn(arn)) {
    return engine::InvalidParameter(fmt::format("ARNs must start with 'arn:': {}", arn));
  }
  const std::optional<engine::Arn> parts = engine::ParseArn(arn);
  if (!parts || parts->service != "dynamodb" || !parts->resource.starts_with(kTablePrefix) ||
      parts->resource.contains("/backup/")) {
    return engine::InvalidParameter(fmt::format("Provided Arn is not a DynamoDB resource arn: {}", arn));
  }
  const engine::Tables& tables = context.engine.tables();
  if (parts->partition != "aws" || parts->region != tables.region()) {
    return engine::InvalidParameter(fmt::format("Invalid resource Arn: {}", arn));
  }
  if (parts->account != tables.account()) {
    return ValidationError("This action is only supported by accounts that match the resource owner’s account.");
  }
  const std::string_view name = parts->resource.substr(kTablePrefix.size());
  const std::size_t stream = name.find(kStreamPart);
  engine::PolicyResource resource{.arn = std::string(arn), .table_name = std::string(name.substr(0, stream))};
  if (stream != std::string_view::npos) resource.stream_label = name.substr(stream + kStreamPart.size());
  if (resource.table_name.contains('/') || resource.stream_label.contains('/') ||
      (stream != std::string_view::npos && resource.stream_label.empty())) {
    return engine::InvalidParameter(
        fmt::format("Invalid resource arn provided, only table or stream is accepted. Provided resource arn: {}", arn));
  }
  return resource;
}

std::string RevisionAnswer(std::string_view revision) {
  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  if (!revision.empty()) json.Key("RevisionId").String(revision);
  json.EndObject();
  return answer;
}

}  // namespace taula::api
