// The records of a CSV file in their fields (RFC 4180): a field in double quotes may
// have the delimiter, ends of lines and, doubled, quotes in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "buckets/failure.h"
#include "buckets/line_reader.h"

namespace taula::buckets {

enum class CsvRecord {
  kComplete,
  kOpen,   // ends inside of quotes: what follows belongs to it
  kWrong,  // a quote stands where none can
};

struct CsvField {
  std::string text;
  bool quoted = false;

  friend bool operator==(const CsvField&, const CsvField&) = default;
};

[[nodiscard]] CsvRecord SplitCsv(std::string_view record, char delimiter, std::vector<CsvField>& fields);

// The record that begins with a line, which the reader gave last, and may go on
// in those that follow. kOpen when the file ends inside of quotes, or the record
// is longer than any item.
[[nodiscard]] Outcome<CsvRecord> ReadCsv(LineReader& lines, std::string_view first, char delimiter,
                                         std::vector<CsvField>& fields);

}  // namespace taula::buckets
