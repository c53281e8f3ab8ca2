// What the requests on exports and imports have alike.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/arn_page.h"
#include "api/constraints.h"
#include "api/member_bounds.h"
#include "api/operation.h"
#include "api/page_token.h"
#include "taula/error.h"

namespace taula::api {

inline constexpr LengthBounds kJobArnLength{.least = 37, .most = 1024};
inline constexpr LengthBounds kTableArnLength{.least = 1, .most = 1024};
inline constexpr std::size_t kJobsAtOnce = 10;
inline constexpr std::int64_t kJobsAtOnceMax = 25;

// A bucket's name, that of its owner, and a client's token.
void CheckBucket(Constraints& constraints, std::string_view path, const std::optional<std::string>& bucket);
void CheckBucketOwner(Constraints& constraints, std::string_view path, const std::optional<std::string>& owner);
void CheckClientToken(Constraints& constraints, const std::optional<std::string>& token);
// `values` as Amazon lists them: "[A, B]".
void CheckOneOf(Constraints& constraints, std::string_view path, const std::optional<std::string>& text,
                std::string_view values);

// The name of the table that an ARN means, nothing when it is one of another
// region.
[[nodiscard]] Result<std::optional<std::string>> NameFromTableArn(const Context& context, std::string_view arn);

// One page of jobs that are sorted by their ids, newest first.
struct JobPage {
  std::optional<std::string> table_arn;
  std::optional<std::int64_t> limit;
  std::optional<std::string> token;

  // Leaves the page's elements, and says how to go on behind them.
  template <typename Pointer>
  [[nodiscard]] Result<std::optional<std::string>> Cut(std::string_view list, std::vector<Pointer>& jobs) const {
    if (token) {
      const std::optional<std::string> last = ReadPageToken(list, *token);
      if (!last) return ValidationError("Invalid Request: Provided nextToken is invalid: " + *token);
      std::erase_if(jobs, [&](const Pointer& job) { return job->id >= *last; });
    }
    if (!CutTo(jobs, limit ? static_cast<std::size_t>(*limit) : kJobsAtOnce)) return std::nullopt;
    return MakePageToken(list, jobs.back()->id);
  }
};

}  // namespace taula::api
