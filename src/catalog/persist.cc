#include "catalog/persist.h"

#include <optional>
#include <span>
#include <string_view>

namespace taula::catalog {

Result<void> FromCommit(storage::Commit commit) {
  switch (commit) {
    case storage::Commit::kOk:
      return {};
    case storage::Commit::kUnavailable:
    case storage::Commit::kConflict:
      return Fail(ErrorCode::kServiceUnavailable, "The store cannot be written at the moment");
    case storage::Commit::kAborted:
    case storage::Commit::kUnknown:
      break;
  }
  return Fail(ErrorCode::kInternalServerError, "The store failed; the change may or may not have been made");
}

Result<void> Persist(storage::Store& store, base::FunctionRef<void(storage::Batch&)> write) {
  return FromCommit(
      storage::MutateAndWait(store, {}, [&](std::span<const std::optional<std::string_view>>, storage::Batch& batch) {
        write(batch);
        return true;
      }));
}

}  // namespace taula::catalog
