// A resource-based policy: who may do what with a table or a stream. Reading its
// JSON with Amazon's checks and words, and writing it in the one form that
// GetResourcePolicy answers. It is kept and returned; nobody asks it yet.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "taula/error.h"

namespace taula::engine {

inline constexpr std::size_t kPolicyBytesMax = 20480;

// "Action" or, negated, "NotAction"; likewise for resources. Patterns with * and ?.
struct PolicyPatterns {
  std::vector<std::string> patterns;
  bool negated = false;
};

struct PolicyPrincipals {
  bool everyone = false;  // "*"
  bool negated = false;
  // By kind ("AWS", "Service", …), in the order given. Accounts are ARNs of their roots.
  std::vector<std::pair<std::string, std::vector<std::string>>> by_kind;
};

struct PolicyCondition {
  std::string comparison;  // "StringEquals"
  // Keys such as "aws:SourceVpc", with the values that meet it.
  std::vector<std::pair<std::string, std::vector<std::string>>> keys;
};

struct PolicyStatement {
  std::optional<std::string> sid;
  bool allows = false;
  PolicyPrincipals principals;
  PolicyPatterns actions;
  PolicyPatterns resources;
  std::vector<PolicyCondition> conditions;
};

struct PolicyDocument {
  std::optional<std::string> version;
  std::optional<std::string> id;
  std::vector<PolicyStatement> statements;
};

enum class PolicyTarget { kTable, kStream };

// Fails with kValidationException.
[[nodiscard]] Result<PolicyDocument> ReadPolicy(std::string_view json, PolicyTarget target);

// The canonical JSON: no white space, members in one order, a list of one as a
// plain text. Documents are the same when their texts are. A version that was
// not given is not in it.
[[nodiscard]] std::string PolicyText(const PolicyDocument& policy);

// A canonical text as it is shown: with the version that counts when none is given.
[[nodiscard]] std::string ShownPolicyText(std::string_view canonical);

// Whether everybody, or everybody of the account, is denied to put another policy
// on the resource: then nobody could take the policy back.
[[nodiscard]] bool LocksOut(const PolicyDocument& policy, std::string_view account, std::string_view resource_arn);

// Whether a text has the form of a pattern, in which * stands for any characters
// and ? for one.
[[nodiscard]] bool MatchesPolicyPattern(std::string_view pattern, std::string_view text);

// The same for the names of actions, which are the same in any case.
[[nodiscard]] bool MatchesPolicyAction(std::string_view pattern, std::string_view action);

}  // namespace taula::engine
