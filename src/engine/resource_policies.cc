#include "engine/resource_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/function_ref.h"
#include "engine/table_update.h"

namespace taula::engine {
namespace {

std::unexpected<Error> PolicyNotFound(std::string_view why) {
  return Fail(ErrorCode::kPolicyNotFoundException,
              fmt::format("Resource-based policy not found for the provided ResourceArn: {}", why));
}

std::unexpected<Error> StreamNotFound(const PolicyResource& resource) {
  return Fail(ErrorCode::kResourceNotFoundException,
              fmt::format("Requested resource not found: Stream: {} not found for Table: {}", resource.stream_label,
                          resource.table_name));
}

// "table orders", "stream 2026-10-09T00:29:04.041".
std::string NameOf(const PolicyResource& resource) {
  return resource.stream_label.empty() ? fmt::format("table {}", resource.table_name)
                                       : fmt::format("stream {}", resource.stream_label);
}

// What a table or a stream keeps of its policy.
struct Slot {
  std::optional<std::string>& policy;
  std::string& revision;
};

Result<void> CheckExpected(const PolicyResource& resource, const Slot& slot,
                           const std::optional<std::string>& expected) {
  if (!expected) return {};
  if (*expected == kNoPolicyRevision) {
    if (!slot.policy) return {};
    return PolicyNotFound(
        fmt::format("Requested policy update expecting none to be present for {}, but a policy exists with revision "
                    "id {}.",
                    NameOf(resource), slot.revision));
  }
  const std::string asked = fmt::format("Requested update for policy with revision id {}, but", *expected);
  if (!slot.policy) return PolicyNotFound(fmt::format("{} {} has no associated policy.", asked, NameOf(resource)));
  if (slot.revision != *expected) {
    return PolicyNotFound(fmt::format("{} the policy associated to target {} has revision id {}.", asked,
                                      NameOf(resource), slot.revision));
  }
  return {};
}

// Revisions are times, and grow.
std::string NextRevision(std::string_view last, std::int64_t now_ms) {
  std::int64_t last_ms = 0;
  std::from_chars(last.data(), last.data() + last.size(), last_ms);
  return std::to_string(std::max(now_ms, last_ms + 1));
}

using Edit = base::FunctionRef<Result<void>(Slot)>;

Result<void> EditTable(catalog::Catalog& catalog, const PolicyResource& resource, Edit edit) {
  const auto changed = catalog.Change(resource.table_name, [&](catalog::Table& table) {
    return edit({table.resource_policy, table.resource_policy_revision});
  });
  if (!changed) return std::unexpected(changed.error());
  return {};
}

Result<void> EditStream(catalog::Catalog& catalog, const PolicyResource& resource, Edit edit) {
  const catalog::StreamPtr stream = catalog.FindStream(resource.table_name, resource.stream_label);
  if (stream == nullptr) return StreamNotFound(resource);
  // Nothing is called when the stream has gone meanwhile.
  Result<void> edited = StreamNotFound(resource);
  const auto changed = catalog.ChangeStream(stream->space, [&](catalog::Stream& current) {
    edited = edit({current.resource_policy, current.resource_policy_revision});
  });
  return changed ? edited : changed;
}

Result<void> EditPolicy(catalog::Catalog& catalog, const PolicyResource& resource, Edit edit) {
  return resource.stream_label.empty() ? EditTable(catalog, resource, edit) : EditStream(catalog, resource, edit);
}

Result<KeptPolicy> Show(const PolicyResource& resource, const std::optional<std::string>& policy,
                        const std::string& revision) {
  if (!policy) return PolicyNotFound(resource.arn);
  return KeptPolicy{ShownPolicyText(*policy), revision};
}

}  // namespace

Result<KeptPolicy> FindResourcePolicy(const catalog::Catalog& catalog, const PolicyResource& resource) {
  if (!resource.stream_label.empty()) {
    const catalog::StreamPtr stream = catalog.FindStream(resource.table_name, resource.stream_label);
    if (stream == nullptr) return StreamNotFound(resource);
    return Show(resource, stream->resource_policy, stream->resource_policy_revision);
  }
  const catalog::TablePtr table = catalog.Find(resource.table_name);
  if (table == nullptr) return TableNotFound(resource.table_name);
  return Show(resource, table->resource_policy, table->resource_policy_revision);
}

Result<std::string> SetResourcePolicy(catalog::Catalog& catalog, const PolicyResource& resource,
                                      const PolicyDocument& policy, const std::optional<std::string>& expected,
                                      std::int64_t now_ms) {
  const std::string text = PolicyText(policy);
  std::string revision;
  const auto edited = EditPolicy(catalog, resource, [&](Slot slot) -> Result<void> {
    if (auto fits = CheckExpected(resource, slot, expected); !fits) return fits;
    if (slot.policy != text) {
      slot.policy = text;
      slot.revision = NextRevision(slot.revision, now_ms);
    }
    revision = slot.revision;
    return {};
  });
  if (!edited) return std::unexpected(edited.error());
  return revision;
}

Result<std::string> RemoveResourcePolicy(catalog::Catalog& catalog, const PolicyResource& resource,
                                         const std::optional<std::string>& expected, std::int64_t now_ms) {
  std::string revision;
  const auto edited = EditPolicy(catalog, resource, [&](Slot slot) -> Result<void> {
    if (auto fits = CheckExpected(resource, slot, expected); !fits) return fits;
    revision = slot.revision;
    if (slot.policy) {
      slot.policy.reset();
      slot.revision = NextRevision(slot.revision, now_ms);
    }
    return {};
  });
  if (!edited) return std::unexpected(edited.error());
  return revision;
}

}  // namespace taula::engine
