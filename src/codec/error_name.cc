#include "codec/error_name.h"

#include <array>
#include <utility>

namespace taula::codec {
namespace {

using enum ErrorCode;

constexpr auto kNames = std::to_array<std::pair<ErrorCode, std::string_view>>({
    {kValidationException, "ValidationException"},
    {kSerializationException, "SerializationException"},
    {kResourceNotFoundException, "ResourceNotFoundException"},
    {kResourceInUseException, "ResourceInUseException"},
    {kBackupInUseException, "BackupInUseException"},
    {kBackupNotFoundException, "BackupNotFoundException"},
    {kExportConflictException, "ExportConflictException"},
    {kExportNotFoundException, "ExportNotFoundException"},
    {kGlobalTableAlreadyExistsException, "GlobalTableAlreadyExistsException"},
    {kGlobalTableNotFoundException, "GlobalTableNotFoundException"},
    {kImportConflictException, "ImportConflictException"},
    {kImportNotFoundException, "ImportNotFoundException"},
    {kIndexNotFoundException, "IndexNotFoundException"},
    {kInvalidExportTimeException, "InvalidExportTimeException"},
    {kInvalidRestoreTimeException, "InvalidRestoreTimeException"},
    {kPointInTimeRecoveryUnavailableException, "PointInTimeRecoveryUnavailableException"},
    {kPolicyNotFoundException, "PolicyNotFoundException"},
    {kReplicaAlreadyExistsException, "ReplicaAlreadyExistsException"},
    {kReplicaNotFoundException, "ReplicaNotFoundException"},
    {kTableAlreadyExistsException, "TableAlreadyExistsException"},
    {kTableInUseException, "TableInUseException"},
    {kTableNotFoundException, "TableNotFoundException"},
    {kTrimmedDataAccessException, "TrimmedDataAccessException"},
    {kExpiredIteratorException, "ExpiredIteratorException"},
    {kConditionalCheckFailedException, "ConditionalCheckFailedException"},
    {kDuplicateItemException, "DuplicateItemException"},
    {kTransactionCanceledException, "TransactionCanceledException"},
    {kTransactionConflictException, "TransactionConflictException"},
    {kTransactionInProgressException, "TransactionInProgressException"},
    {kIdempotentParameterMismatchException, "IdempotentParameterMismatchException"},
    {kItemCollectionSizeLimitExceededException, "ItemCollectionSizeLimitExceededException"},
    {kLimitExceededException, "LimitExceededException"},
    {kProvisionedThroughputExceededException, "ProvisionedThroughputExceededException"},
    {kRequestLimitExceeded, "RequestLimitExceeded"},
    {kThrottlingException, "ThrottlingException"},
    {kAccessDeniedException, "AccessDeniedException"},
    {kMissingAuthenticationTokenException, "MissingAuthenticationTokenException"},
    {kIncompleteSignatureException, "IncompleteSignatureException"},
    {kInvalidSignatureException, "InvalidSignatureException"},
    {kUnrecognizedClientException, "UnrecognizedClientException"},
    {kUnknownOperationException, "UnknownOperationException"},
    {kInternalServerError, "InternalServerError"},
    {kServiceUnavailable, "ServiceUnavailable"},
});

}  // namespace

std::string_view ErrorName(ErrorCode code) {
  for (const auto& [each, name] : kNames) {
    if (each == code) return name;
  }
  return "InternalServerError";
}

std::optional<ErrorCode> ErrorCodeNamed(std::string_view name) {
  if (const std::size_t hash = name.rfind('#'); hash != std::string_view::npos) name.remove_prefix(hash + 1);
  for (const auto& [code, each] : kNames) {
    if (each == name) return code;
  }
  return std::nullopt;
}

}  // namespace taula::codec
