// Why a file could not be read or written, in the terms that exports and imports
// report: Amazon's code where it has one, and a sentence.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace taula::buckets {

struct Failure {
  std::string code;
  std::string message;
};

template <typename T>
using Outcome = std::expected<T, Failure>;

// Amazon's codes.
inline constexpr std::string_view kNoSuchBucket = "S3NoSuchBucket";
inline constexpr std::string_view kNoSuchKey = "S3NoSuchKey";
inline constexpr std::string_view kAccessDenied = "S3AccessDenied";
inline constexpr std::string_view kItemValidationError = "ItemValidationError";
inline constexpr std::string_view kTableAlreadyExists = "TableAlreadyExists";
// Ours, for what cannot happen with Amazon.
inline constexpr std::string_view kStorageFull = "StorageFull";
inline constexpr std::string_view kStorageError = "StorageError";
inline constexpr std::string_view kTableNotFound = "TableNotFound";
inline constexpr std::string_view kMalformed = "Malformed";

[[nodiscard]] std::unexpected<Failure> FailWith(std::string_view code, std::string message);

// For a call of the system that failed with errno `error` on `what`.
[[nodiscard]] std::unexpected<Failure> SystemFailure(int error, std::string_view what);

}  // namespace taula::buckets
