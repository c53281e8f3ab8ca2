#include "buckets/csv.h"

#include <algorithm>

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

CsvRecord SplitCsv(std::string_view record, char delimiter, std::vector<std::string>& fields) {
  fields.clear();
  while (true) {
    std::string& field = fields.emplace_back();
    if (record.starts_with('"')) {
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

}  // namespace taula::buckets
