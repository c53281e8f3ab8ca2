// What an operation answers when it does not succeed.
//
// Errors are values: every call returns Result<T>, whose error names the
// DynamoDB exception, carries Amazon's words for it and, where Amazon sends
// more (the old item, the reasons of a cancelled transaction), that too.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "taula/value.h"

namespace taula {

// One enumerator per exception of the wire protocol, by its own name.
enum class ErrorCode {
  kValidationException,
  kSerializationException,
  kResourceNotFoundException,
  kResourceInUseException,
  kConditionalCheckFailedException,
  kDuplicateItemException,
  kTransactionCanceledException,
  kTransactionConflictException,
  kTransactionInProgressException,
  kIdempotentParameterMismatchException,
  kItemCollectionSizeLimitExceededException,
  kLimitExceededException,
  kProvisionedThroughputExceededException,
  kRequestLimitExceeded,
  kThrottlingException,
  kAccessDeniedException,
  kMissingAuthenticationTokenException,
  kIncompleteSignatureException,
  kInvalidSignatureException,
  kUnrecognizedClientException,
  kUnknownOperationException,
  kBackupInUseException,
  kBackupNotFoundException,
  kExportConflictException,
  kExportNotFoundException,
  kGlobalTableAlreadyExistsException,
  kGlobalTableNotFoundException,
  kImportConflictException,
  kImportNotFoundException,
  kIndexNotFoundException,
  kInvalidExportTimeException,
  kInvalidRestoreTimeException,
  kPointInTimeRecoveryUnavailableException,
  kPolicyNotFoundException,
  kReplicaAlreadyExistsException,
  kReplicaNotFoundException,
  kTableAlreadyExistsException,
  kTableInUseException,
  kTableNotFoundException,
  kTrimmedDataAccessException,
  kExpiredIteratorException,
  kInternalServerError,
  kServiceUnavailable,
};

// Why one action of a cancelled transaction failed; code is "None" for those
// that would have succeeded.
struct CancellationReason {
  std::string code = "None";
  std::string message;
  std::optional<Item> item;
};

// What a request was throttled by: "TableWriteProvisionedThroughputExceeded", and
// the ARN of the table or index.
struct ThrottlingReason {
  std::string reason;
  std::string resource;
};

struct Error {
  ErrorCode code = ErrorCode::kInternalServerError;
  std::string message;
  // The item as it was, when ReturnValuesOnConditionCheckFailure asked for it.
  std::optional<Item> item;
  // One for each action, in order, for kTransactionCanceledException only.
  std::vector<CancellationReason> cancellation_reasons;
  // For the exceptions that tell of throttling.
  std::vector<ThrottlingReason> throttling_reasons = {};
};

template <typename T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> Fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{code, std::move(message), std::nullopt, {}});
}

[[nodiscard]] inline std::unexpected<Error> ValidationError(std::string message) {
  return Fail(ErrorCode::kValidationException, std::move(message));
}

}  // namespace taula
