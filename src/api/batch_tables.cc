#include "api/batch_tables.h"

#include "api/table_lookup.h"
#include "api/table_name.h"

namespace taula::api {

bool IsBatchTableName(std::string_view name) {
  Constraints constraints;
  CheckTableName(name, "", constraints);
  return constraints.empty() && name.size() >= kResourceNameMin;
}

void AddBadTableName(std::string_view echo, Constraints& constraints) {
  constraints.Violated("requestItems", echo,
                       "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member "
                       "must have length greater than or equal to 3, Member must satisfy regular expression pattern: "
                       "[a-zA-Z0-9_.-]+]");
}

bool IsTransient(const Error& error) {
  switch (error.code) {
    case ErrorCode::kTransactionConflictException:
    case ErrorCode::kProvisionedThroughputExceededException:
    case ErrorCode::kRequestLimitExceeded:
    case ErrorCode::kThrottlingException:
    case ErrorCode::kInternalServerError:
    case ErrorCode::kServiceUnavailable:
      return true;
    default:
      return false;
  }
}

}  // namespace taula::api
