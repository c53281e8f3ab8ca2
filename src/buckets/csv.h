// One record of a CSV file in its fields (RFC 4180): a field in double quotes may
// have the delimiter, ends of lines and, doubled, quotes in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace taula::buckets {

enum class CsvRecord {
  kComplete,
  kOpen,   // ends inside of quotes: what follows belongs to it
  kWrong,  // a quote stands where none can
};

[[nodiscard]] CsvRecord SplitCsv(std::string_view record, char delimiter, std::vector<std::string>& fields);

}  // namespace taula::buckets
