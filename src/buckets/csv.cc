#include "buckets/csv.h"

#include <algorithm>
#include <optional>

namespace taula::buckets {
namespace {

// Takes a field in quotes from the front of the record, its quotes included.
CsvRecord TakeQuoted(std::string_view& record, std::string& field) {
  record.remove_prefix(1);
  while (true) {
    const std::size_t quote = record.find('"');
    if (quote == std::string_view::npos) return CsvRecord::kOpen;
    field.append(record.substr(0, quote));
    record.remove_prefix(quote + 1);
    if (!record.starts_with('"')) return CsvRecord::kComplete;
    field.push_back('"');
    record.remove_prefix(1);
  }
}

}  // namespace

CsvRecord SplitCsv(std::string_view record, char delimiter, std::vector<CsvField>& fields) {
  fields.clear();
  while (true) {
    auto& [field, quoted] = fields.emplace_back();
    quoted = record.starts_with('"');
    if (quoted) {
      if (TakeQuoted(record, field) == CsvRecord::kOpen) return CsvRecord::kOpen;
    } else {
      const std::size_t end = std::min(record.find(delimiter), record.size());
      field = record.substr(0, end);
      record.remove_prefix(end);
      if (field.contains('"')) return CsvRecord::kWrong;
    }
    if (record.empty()) return CsvRecord::kComplete;
    if (!record.starts_with(delimiter)) return CsvRecord::kWrong;
    record.remove_prefix(1);
  }
}

Outcome<CsvRecord> ReadCsv(LineReader& lines, std::string_view first, char delimiter, std::vector<CsvField>& fields) {
  if (const CsvRecord state = SplitCsv(first, delimiter, fields); state != CsvRecord::kOpen) return state;
  // It is whole again when its quotes are even.
  std::string record(first);
  std::ptrdiff_t quotes = std::ranges::count(first, '"');
  while (quotes % 2 != 0) {
    record.append(lines.line_end());
    const Outcome<std::optional<std::string_view>> more = lines.Next();
    if (!more && more.error().code != kMalformed) return std::unexpected(more.error());
    if (!more || !*more || record.size() > kLineBytesMax) return CsvRecord::kOpen;
    record.append(**more);
    quotes += std::ranges::count(**more, '"');
  }
  return SplitCsv(record, delimiter, fields);
}

}  // namespace taula::buckets
