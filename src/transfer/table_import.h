// Writes the items of files into a table. What the table would not or does not
// take is put aside. Where an import was interrupted another one goes on: some
// items may be written twice, none is missed.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "client/call_function.h"
#include "transfer/csv_items.h"
#include "transfer/file_kind.h"
#include "transfer/table_shape.h"

namespace taula::transfer {

struct ImportOptions {
  std::string endpoint;
  std::vector<std::string> paths;  // "-": the standard input
  std::optional<Format> format;    // nothing: by the names of the files, or their first lines
  CsvReading reading;              // the types of keys are added
  std::string checkpoint_path;     // empty: none is kept
  std::string rejects_path;
  std::uint64_t rejects_max = 10'000;  // more, and the import ends
  std::size_t calls_in_flight = 8;
  bool resume = false;
  bool dry_run = false;
  bool quiet = false;  // no progress
  std::int64_t checkpoint_ms = 500;
};

struct ImportOutcome {
  std::string summary;
  std::uint64_t refused = 0;
  std::string first_refused;  // "orders.csv:12: the key attribute pk is missing"
};

// The error is a sentence or two.
[[nodiscard]] std::expected<ImportOutcome, std::string> ImportTable(const client::CallFunction& call,
                                                                    const TableShape& table,
                                                                    const ImportOptions& options);

}  // namespace taula::transfer
