// An export of a table to a bucket: what was asked for, and what became of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace taula::catalog {

// Of exports and imports.
enum class JobStatus { kInProgress, kCompleted, kFailed };

// Why a job failed.
struct JobFailure {
  std::string code;
  std::string message;
};

// The changes between two times, not the table at one.
struct ExportPeriod {
  std::int64_t from_ms = 0;  // included
  std::int64_t to_ms = 0;    // not included
  bool old_images = true;
};

struct Export {
  std::string id;  // the end of its ARN
  std::string table_name;
  std::string table_id;
  std::string client_token;
  std::string fingerprint;  // of what the request asked for
  JobStatus status = JobStatus::kInProgress;
  std::int64_t start_ms = 0;
  std::int64_t end_ms = 0;             // once it is over
  std::int64_t time_ms = 0;            // of a full export: the state that it shows
  std::optional<ExportPeriod> period;  // of an incremental one
  std::string bucket;
  std::optional<std::string> bucket_owner;
  std::optional<std::string> prefix;
  std::string encryption = "AES256";
  std::optional<std::string> kms_key;
  std::int64_t items = 0;  // once it is complete
  std::int64_t billed_bytes = 0;
  std::optional<JobFailure> failure;
};

using ExportPtr = std::shared_ptr<const Export>;

}  // namespace taula::catalog
