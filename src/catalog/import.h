// An import of files of a bucket into a new table: what was asked for, and what
// became of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/export.h"
#include "catalog/table.h"

namespace taula::catalog {

// How far an import has come.
struct ImportCounts {
  std::int64_t processed_bytes = 0;
  std::int64_t processed_items = 0;
  std::int64_t imported_items = 0;
  std::int64_t errors = 0;
};

struct CsvOptions {
  std::optional<std::string> delimiter;
  std::vector<std::string> header;
};

struct Import {
  std::string id;  // the end of its ARN
  std::string client_token;
  std::string fingerprint;  // of the table that the request asked for
  JobStatus status = JobStatus::kInProgress;
  std::int64_t start_ms = 0;
  std::int64_t end_ms = 0;  // once it is over
  std::string bucket;
  std::optional<std::string> bucket_owner;
  std::optional<std::string> prefix;
  std::string format;       // DYNAMODB_JSON, CSV
  std::string compression;  // NONE, GZIP, ZSTD
  std::optional<CsvOptions> csv;
  Table table;             // as it is to be made
  std::string parameters;  // the same as it was asked for, in JSON
  // All items are there, and the table only has to become ACTIVE.
  bool loaded = false;
  ImportCounts counts;  // from then on
  std::optional<JobFailure> failure;
};

using ImportPtr = std::shared_ptr<const Import>;

}  // namespace taula::catalog
