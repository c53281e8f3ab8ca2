#include "engine/transfer_jobs.h"

#include <fmt/format.h>

#include "buckets/bucket.h"

namespace taula::engine {

Result<void> CheckBuckets(std::string_view folder, const std::optional<std::string>& prefix,
                          std::string_view prefix_member) {
  if (folder.empty()) {
    return ValidationError(
        "Invalid Request: This server keeps everything in memory and has no folder for buckets; start it with "
        "--buckets FOLDER (or TAULA_BUCKETS)");
  }
  if (prefix && !buckets::IsPath(*prefix)) {
    return ValidationError(
        fmt::format("Invalid Request: {} '{}' is not a path inside of a bucket: a bucket is a folder here, so names "
                    "between single slashes are needed, none of them '.' or '..'",
                    prefix_member, *prefix));
  }
  return {};
}

buckets::Outcome<void> CheckOwner(const std::optional<std::string>& owner, std::string_view account) {
  if (!owner || *owner == account) return {};
  return buckets::FailWith(buckets::kAccessDenied,
                           "Access Denied (Service: Amazon S3; Status Code: 403; Error Code: AccessDenied)");
}

}  // namespace taula::engine
