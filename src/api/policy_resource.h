// The table or stream whose resource-based policy a request is about.
#pragma once

#include <optional>
#include <string_view>

#include "api/constraints.h"
#include "api/operation.h"
#include "engine/resource_policies.h"
#include "taula/error.h"

namespace taula::api {

// ResourceArn and ExpectedRevisionId by themselves.
void CheckPolicyMembers(std::optional<std::string_view> arn, std::optional<std::string_view> expected_revision,
                        Constraints& constraints);

// Whether there is such a table or stream is not looked at.
[[nodiscard]] Result<engine::PolicyResource> ResolvePolicyResource(const Context& context, std::string_view arn);

// {"RevisionId":"…"}; an empty object for an empty revision.
[[nodiscard]] std::string RevisionAnswer(std::string_view revision);

}  // namespace taula::api
