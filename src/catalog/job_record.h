// What the records of exports and imports have alike.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "catalog/export.h"
#include "catalog/record.h"

namespace taula::catalog {

template <>
inline constexpr auto kEnumNames<JobStatus> = std::to_array<std::pair<JobStatus, std::string_view>>(
    {{JobStatus::kInProgress, "IN_PROGRESS"}, {JobStatus::kCompleted, "COMPLETED"}, {JobStatus::kFailed, "FAILED"}});

template <typename Job>
void EncodeJob(RecordWriter& record, const Job& job) {
  record.Text("id", job.id);
  record.Text("client_token", job.client_token);
  record.Text("fingerprint", job.fingerprint);
  record.Named("status", job.status);
  record.Number("start", job.start_ms);
  record.Number("end", job.end_ms);
  record.Text("bucket", job.bucket);
  record.Text("bucket_owner", job.bucket_owner);
  record.Text("prefix", job.prefix);
  if (job.failure) {
    record.Text("failure_code", job.failure->code);
    record.Text("failure_message", job.failure->message);
  }
}

// False when it is not the record of a job.
template <typename Job>
[[nodiscard]] bool DecodeJob(const RecordReader& record, Job& job) {
  const auto id = record.Text("id");
  const auto status = record.Named<JobStatus>("status");
  const auto bucket = record.Text("bucket");
  if (!id || !status || !bucket) return false;
  job.id = *id;
  job.status = *status;
  job.bucket = *bucket;
  job.client_token = record.Text("client_token").value_or("");
  job.fingerprint = record.Text("fingerprint").value_or("");
  job.start_ms = record.Number("start").value_or(0);
  job.end_ms = record.Number("end").value_or(0);
  job.bucket_owner = record.Text("bucket_owner");
  job.prefix = record.Text("prefix");
  if (const auto code = record.Text("failure_code")) {
    job.failure = {.code = *code, .message = record.Text("failure_message").value_or("")};
  }
  return true;
}

}  // namespace taula::catalog
