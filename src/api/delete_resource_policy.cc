#include <optional>
#include <string>

#include "api/operations.h"
#include "api/policy_resource.h"
#include "api/table_request.h"

namespace taula::api {
namespace {

struct DeleteBody {
  std::optional<std::string> arn;
  std::optional<std::string> expected_revision;
};

DeleteBody Read(const codec::JsonStruct& json) {
  DeleteBody body;
  if (const auto arn = json["ResourceArn"].String()) body.arn = *arn;
  if (const auto revision = json["ExpectedRevisionId"].String()) body.expected_revision = *revision;
  return body;
}

Result<std::string> Answer(Context& context, const DeleteBody& body) {
  Constraints constraints;
  CheckPolicyMembers(body.arn, body.expected_revision, constraints);
  if (auto shape = constraints.Check(); !shape) return std::unexpected(shape.error());
  const auto resource = ResolvePolicyResource(context, *body.arn);
  if (!resource) return std::unexpected(resource.error());
  const auto revision = engine::RemoveResourcePolicy(context.engine.catalog(), *resource, body.expected_revision,
                                                     context.engine.options().clock->NowMs());
  if (!revision) return std::unexpected(revision.error());
  return RevisionAnswer(*revision);
}

}  // namespace

void DeleteResourcePolicy(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const DeleteBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
