// Items as records of a CSV file, and back, so that nothing is lost.
//
// A cell is text, unless it is JSON: a number, true, false, null, a list, an
// object with the marks of codec/plain_json.h. Inside of double quotes numbers
// and words are text too, so a text that could be taken for more is quoted. An
// empty cell is an attribute that is not there; "" is an empty text. Where the
// type of a column is known, its cells are of that type.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "buckets/csv.h"
#include "codec/plain_json.h"
#include "taula/table.h"
#include "taula/value.h"

namespace taula::transfer {

struct ColumnType {
  std::string name;
  Type type = Type::kString;
};
using ColumnTypes = std::vector<ColumnType>;

// "age:N,tags:SS": columns and DynamoDB's names of types. The error is a sentence.
[[nodiscard]] std::expected<ColumnTypes, std::string> ParseColumnTypes(std::string_view text);

void AppendCsvHeader(std::string& out, std::span<const std::string> columns);
// The attributes that are columns, in their order, and the end of the line.
// Those of `typed` are known to the reader as well.
void AppendCsvRecord(std::string& out, std::span<const std::string> columns, const ColumnTypes& typed, const Item& item,
                     codec::PlainJsonReader& json);

struct CsvReading {
  ColumnTypes typed;
  bool only_text = false;   // in all other columns
  bool keep_empty = false;  // an empty cell is an empty text
};

// The item in a record. The error is a sentence without its end.
[[nodiscard]] std::expected<Item, std::string> ItemOfRecord(const std::vector<std::string>& columns,
                                                            const std::vector<buckets::CsvField>& fields,
                                                            const CsvReading& reading, codec::PlainJsonReader& json);

}  // namespace taula::transfer
