// Reads the items of one file, as DynamoDB JSON or as CSV.
//
// DynamoDB JSON is what exports write: {"Item":{…}} on each line. In a CSV file
// the first line names the columns, unless names are given; attributes of keys
// have the types of the table's definitions, all others are strings.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "buckets/byte_source.h"
#include "buckets/csv.h"
#include "buckets/failure.h"
#include "buckets/item_line.h"
#include "buckets/line_reader.h"
#include "taula/table.h"
#include "taula/value.h"

namespace taula::buckets {

struct ItemFormat {
  bool csv = false;
  // Of CSV:
  char delimiter = ',';
  std::vector<std::string> header;  // empty: the first line of each file
  std::vector<AttributeDefinition> typed;
};

class ItemReader {
 public:
  // `format` must outlive the reader.
  ItemReader(std::unique_ptr<ByteSource> source, const ItemFormat& format)
      : lines_(std::move(source)), format_(format), header_(format.header) {}

  using Next = std::variant<std::monostate, Item, BadItem>;
  // The next item, nothing at the end. Fails when the file cannot be read.
  [[nodiscard]] Outcome<Next> Read();

  // Uncompressed.
  [[nodiscard]] std::uint64_t bytes_read() const { return lines_.bytes_read(); }

 private:
  [[nodiscard]] Next ReadJson(std::string_view line);
  [[nodiscard]] Outcome<Next> ReadCsv(std::string_view line);
  [[nodiscard]] Next ReadHeader(const std::vector<CsvField>& fields);
  [[nodiscard]] Next MakeItem(const std::vector<CsvField>& fields) const;
  Next Lost(std::string message);

  LineReader lines_;
  const ItemFormat& format_;
  std::vector<std::string> header_;
  bool first_ = true;
  bool lost_ = false;
  ItemLineReader line_;
};

}  // namespace taula::buckets
