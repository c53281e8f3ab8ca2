// Writes the items of a table into a file, segments of it at a time, so that it
// can be gone on with after any interruption, with no item missing or doubled.
//
// FILE.partial becomes FILE when it is whole; FILE.taula-resume says how far it
// is. A CSV file needs its columns before its first record: where they are not
// given, the items go to FILE.spool first, so that the table is read only once.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "buckets/byte_source.h"
#include "client/call_function.h"
#include "transfer/file_kind.h"
#include "transfer/table_shape.h"

namespace taula::transfer {

struct ExportOptions {
  std::string endpoint;
  std::string path = "-";  // the standard output
  Format format = Format::kNdjson;
  buckets::Compression compression = buckets::Compression::kNone;
  std::string index;                 // empty: the table itself
  std::vector<std::string> columns;  // of CSV, or the only attributes to export; empty: all
  std::size_t segments = 8;
  bool consistent = false;
  bool resume = false;
  bool restart = false;  // though another export could be gone on with
  bool quiet = false;    // no progress
  std::int64_t checkpoint_ms = 500;
};

// What came of it, for a person. The error is a sentence or two.
[[nodiscard]] std::expected<std::string, std::string> ExportTable(const client::CallFunction& call,
                                                                  const TableShape& table,
                                                                  const ExportOptions& options);

}  // namespace taula::transfer
