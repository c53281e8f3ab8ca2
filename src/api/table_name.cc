#include "api/table_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/constraints.h"
#include "engine/index_rules.h"
#include "engine/table_arn.h"

namespace taula::api {

namespace {

constexpr std::string_view kTablePrefix = "table/";

std::unexpected<Error> AccessDenied() { return Fail(ErrorCode::kAccessDeniedException, "Access is denied"); }

std::unexpected<Error> InvalidInArn(std::string_view what, std::string_view arn) {
  return ValidationError(InEnvelope(fmt::format("Invalid {} in '{}'", what, arn)));
}

// An ARN that does not name a table.
std::unexpected<Error> NotATableArn(std::string_view text) {
  Constraints constraints;
  constraints.Violated("tableName", text,
                       "Valid ARN format is 'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/"
                       "resourceName', where Resource name must have length less than or equal to 255, Resource name "
                       "must have length greater than or equal to 3, Resource name must satisfy regular expression "
                       "pattern: [a-zA-Z0-9_.-]+");
  return std::unexpected(constraints.Check().error());
}

Result<std::string> NameFromTableArn(const Context& context, std::string_view text) {
  const std::optional<engine::Arn> arn = engine::ParseArn(text);
  if (!arn || arn->service != "dynamodb") return NotATableArn(text);
  if (arn->partition != "aws") return InvalidInArn("AWS partition", text);
  if (arn->region != context.engine.tables().region()) return InvalidInArn("AWS region", text);
  if (!arn->resource.starts_with(kTablePrefix)) return InvalidInArn("resource type", text);
  const std::string_view name = arn->resource.substr(kTablePrefix.size());
  if (!IsResourceName(name) || name.size() < kResourceNameMin || name.size() > kResourceNameMax) {
    return NotATableArn(text);
  }
  if (arn->account != context.engine.tables().account()) return AccessDenied();
  return std::string(name);
}

}  // namespace

bool IsResourceName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
  });
}

Result<std::string> ResolveTableName(const Context& context, std::optional<std::string_view> name_or_arn) {
  if (!name_or_arn) {
    return ValidationError("The parameter 'TableName' is required but was not present in the request");
  }
  const std::string_view name = *name_or_arn;
  if (engine::LooksLikeArn(name)) return NameFromTableArn(context, name);
  Constraints constraints;
  if (name.size() < kResourceNameMin) constraints.Violated("tableName", name, LengthAtLeast(kResourceNameMin));
  if (name.size() > kResourceNameMax) constraints.Violated("tableName", name, LengthAtMost(kResourceNameMax));
  if (!IsResourceName(name)) constraints.Violated("tableName", name, MatchesPattern(kResourceNamePattern));
  if (auto checked = constraints.Check(); !checked) return std::unexpected(checked.error());
  return std::string(name);
}

Result<std::string> ResolveResourceArn(const Context& context, std::optional<std::string_view> arn) {
  if (!arn || arn->empty()) return ValidationError("Invalid TableArn");
  if (!engine::LooksLikeArn(*arn)) {
    return engine::InvalidParameter(fmt::format("ARNs must start with 'arn:': {}", *arn));
  }
  const std::optional<engine::Arn> parts = engine::ParseArn(*arn);
  if (!parts || parts->service != "dynamodb" || !parts->resource.starts_with(kTablePrefix) ||
      parts->resource.contains("/backup/")) {
    return engine::InvalidParameter(fmt::format("Provided Arn is not a DynamoDB resource arn: {}", *arn));
  }
  const std::string_view name = parts->resource.substr(kTablePrefix.size());
  if (name.contains('/')) {
    return engine::InvalidParameter(fmt::format(
        "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: {}", *arn));
  }
  if (parts->region != context.engine.tables().region()) {
    return ValidationError(fmt::format("Invalid TableArn: Invalid ResourceArn provided as input {}", *arn));
  }
  if (parts->account != context.engine.tables().account()) return AccessDenied();
  return std::string(name);
}

}  // namespace taula::api
