#include "api/job_members.h"

#include <algorithm>

#include "api/table_name.h"
#include "engine/table_arn.h"

namespace taula::api {
namespace {

constexpr std::size_t kBucketBytesMax = 255;

bool IsAlphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

bool IsBucketName(std::string_view name) {
  return name.size() >= 2 && IsAlphanumeric(name.front()) && IsAlphanumeric(name.back()) && IsResourceName(name);
}

}  // namespace

void CheckBucket(Constraints& constraints, std::string_view path, const std::optional<std::string>& bucket) {
  if (!bucket) {
    constraints.Missing(path);
    return;
  }
  if (!IsBucketName(*bucket)) {
    constraints.Violated(path, *bucket, MatchesPattern(R"(^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$)"));
  }
  if (bucket->size() > kBucketBytesMax) constraints.Violated(path, *bucket, LengthAtMost(kBucketBytesMax));
}

void CheckBucketOwner(Constraints& constraints, std::string_view path, const std::optional<std::string>& owner) {
  if (!owner) return;
  const bool digits = std::ranges::all_of(*owner, [](char c) { return c >= '0' && c <= '9'; });
  if (owner->size() != 12 || !digits) constraints.Violated(path, *owner, MatchesPattern("[0-9]{12}"));
}

void CheckClientToken(Constraints& constraints, const std::optional<std::string>& token) {
  if (!token) return;
  if (token->empty() || token->contains('$')) {
    constraints.Violated("clientToken", *token, MatchesPattern(R"(^[^\$]+$)"));
  }
}

void CheckOneOf(Constraints& constraints, std::string_view path, const std::optional<std::string>& text,
                std::string_view values) {
  if (!text) return;
  std::string_view rest = values.substr(1, values.size() - 2);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(", "), rest.size());
    if (rest.substr(0, end) == *text) return;
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  constraints.Violated(path, *text, IsOneOf(values));
}

Result<std::optional<std::string>> NameFromTableArn(const Context& context, std::string_view arn) {
  constexpr std::string_view kTable = "table/";
  const std::optional<engine::Arn> parsed = engine::ParseArn(arn);
  if (!parsed || parsed->service != "dynamodb") {
    return ValidationError("One or more parameter values were invalid: tableArn is not a valid ARN");
  }
  if (parsed->account != context.engine.tables().account()) {
    return Fail(ErrorCode::kAccessDeniedException, "Access is denied");
  }
  const std::string_view name = parsed->resource.substr(std::min(kTable.size(), parsed->resource.size()));
  if (!parsed->resource.starts_with(kTable) || !IsResourceName(name)) {
    return ValidationError("Invalid Request: Table ARN is invalid.");
  }
  if (parsed->region != context.engine.tables().region()) return std::nullopt;
  return std::string(name);
}

}  // namespace taula::api
