#include <optional>
#include <string>

#include "api/operations.h"
#include "api/policy_resource.h"
#include "api/table_request.h"

namespace taula::api {
namespace {

struct PutBody {
  std::optional<std::string> arn;
  std::optional<std::string> policy;
  std::optional<std::string> expected_revision;
  bool may_lock_out = false;
};

PutBody Read(const codec::JsonStruct& json) {
  PutBody body;
  if (const auto arn = json["ResourceArn"].String()) body.arn = *arn;
  if (const auto policy = json["Policy"].String()) body.policy = *policy;
  if (const auto revision = json["ExpectedRevisionId"].String()) body.expected_revision = *revision;
  body.may_lock_out = json["ConfirmRemoveSelfResourceAccess"].Boolean().value_or(false);
  return body;
}

Result<std::string> Answer(Context& context, const PutBody& body) {
  Constraints constraints;
  CheckPolicyMembers(body.arn, body.expected_revision, constraints);
  if (!body.policy) constraints.Missing("policy");
  if (auto shape = constraints.Check(); !shape) return std::unexpected(shape.error());
  const auto resource = ResolvePolicyResource(context, *body.arn);
  if (!resource) return std::unexpected(resource.error());
  // What is wrong with the policy is told even when there is nothing to put it on.
  const auto policy = engine::ReadPolicy(*body.policy, resource->target());
  if (!policy) return std::unexpected(policy.error());
  if (!body.may_lock_out && engine::LocksOut(*policy, context.engine.tables().account(), resource->arn)) {
    return Fail(ErrorCode::kAccessDeniedException,
                "The new resource policy will not allow you to update the resource policy in the future.");
  }
  const auto revision = engine::SetResourcePolicy(context.engine.catalog(), *resource, *policy, body.expected_revision,
                                                  context.engine.options().clock->NowMs());
  if (!revision) return std::unexpected(revision.error());
  return RevisionAnswer(*revision);
}

}  // namespace

void PutResourcePolicy(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const PutBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
