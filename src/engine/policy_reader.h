// From the JSON of a policy to its parts. What the parts mean is checked
// elsewhere (policy_document.h).
#pragma once

#include <string_view>

#include "engine/policy_document.h"
#include "taula/error.h"

namespace taula::engine {

// "One or more parameter values were invalid: Invalid policy document: <what>".
[[nodiscard]] std::unexpected<Error> InvalidPolicy(std::string_view what);

[[nodiscard]] Result<PolicyDocument> ReadPolicyParts(std::string_view json);

}  // namespace taula::engine
