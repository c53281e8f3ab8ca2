// The resource-based policies of tables and streams: kept with them, and changed
// only from the revision that a caller knows, if it says one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/catalog.h"
#include "engine/policy_document.h"
#include "taula/error.h"

namespace taula::engine {

struct PolicyResource {
  std::string arn;
  std::string table_name;
  std::string stream_label;  // empty: the policy of the table itself

  [[nodiscard]] PolicyTarget target() const {
    return stream_label.empty() ? PolicyTarget::kTable : PolicyTarget::kStream;
  }
};

// The revision that stands for no policy at all.
inline constexpr std::string_view kNoPolicyRevision = "NO_POLICY";

struct KeptPolicy {
  std::string text;
  std::string revision;
};

// They fail with kResourceNotFoundException when there is no such table or stream,
// with kPolicyNotFoundException when there is no policy to be shown or not the one
// that is expected.
[[nodiscard]] Result<KeptPolicy> FindResourcePolicy(const catalog::Catalog& catalog, const PolicyResource& resource);
// Returns the revision that the policy has now; the one it had when it is the same
// policy.
[[nodiscard]] Result<std::string> SetResourcePolicy(catalog::Catalog& catalog, const PolicyResource& resource,
                                                    const PolicyDocument& policy,
                                                    const std::optional<std::string>& expected, std::int64_t now_ms);
// Returns the revision of what was deleted; without a policy that of an earlier
// deletion, or nothing.
[[nodiscard]] Result<std::string> RemoveResourcePolicy(catalog::Catalog& catalog, const PolicyResource& resource,
                                                       const std::optional<std::string>& expected, std::int64_t now_ms);

}  // namespace taula::engine
