// What exports and imports have alike: tokens that make requests idempotent, how
// many may run, how long they are remembered, and the folder of the buckets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "buckets/failure.h"
#include "catalog/export.h"
#include "taula/error.h"

namespace taula::engine {

inline constexpr std::int64_t kTokenMs = 8LL * 60 * 60 * 1000;
inline constexpr std::int64_t kJobsKeptMs = 90LL * 24 * 60 * 60 * 1000;

// The job that a token was last used for, if the token still counts.
template <typename Jobs>
[[nodiscard]] auto FindByToken(const Jobs& jobs, std::string_view token, std::int64_t now_ms) {
  const auto all = jobs.All();
  const auto found = std::ranges::find_if(all, [&](const auto& job) {
    const bool over = job->status != catalog::JobStatus::kInProgress && now_ms - job->end_ms >= kTokenMs;
    return job->client_token == token && !over;
  });
  return found == all.end() ? nullptr : *found;
}

template <typename Jobs>
[[nodiscard]] std::size_t CountInProgress(const Jobs& jobs) {
  return static_cast<std::size_t>(std::ranges::count_if(
      jobs.All(), [](const auto& job) { return job->status == catalog::JobStatus::kInProgress; }));
}

// Forgets jobs that ended long ago.
template <typename Jobs>
void ForgetOld(Jobs& jobs, std::int64_t now_ms) {
  for (const auto& job : jobs.All()) {
    const bool over = job->status != catalog::JobStatus::kInProgress;
    if (over && now_ms - job->end_ms >= kJobsKeptMs) (void)jobs.Remove(job->id);
  }
}

// Whether a server with this folder of buckets (empty: none) can do what is asked
// with this prefix.
[[nodiscard]] Result<void> CheckBuckets(std::string_view folder, const std::optional<std::string>& prefix,
                                        std::string_view prefix_member);

// All buckets belong to the account of the tables.
[[nodiscard]] buckets::Outcome<void> CheckOwner(const std::optional<std::string>& owner, std::string_view account);

}  // namespace taula::engine
