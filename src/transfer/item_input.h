// Reads the items of a file in any of the formats, with the numbers of their
// lines, from its front or from where somebody else was.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "buckets/byte_source.h"
#include "buckets/descriptor.h"
#include "buckets/failure.h"
#include "buckets/item_line.h"
#include "buckets/line_reader.h"
#include "codec/plain_json.h"
#include "taula/value.h"
#include "transfer/csv_items.h"
#include "transfer/file_kind.h"

namespace taula::transfer {

// What stands in an item's place and is none.
struct BadLine {
  std::string why;   // a sentence without its end
  std::string text;  // the line, or its beginning
};

class ItemInput {
 public:
  // `path` may be "-", the standard input. Without a format it is the name's,
  // or what the first line is.
  [[nodiscard]] static buckets::Outcome<ItemInput> Open(const std::string& path, std::optional<Format> format,
                                                        const CsvReading& reading);

  using Next = std::variant<std::monostate, Item, BadLine>;
  // The next item, nothing at the end. Fails when the file cannot be read on.
  [[nodiscard]] buckets::Outcome<Next> Read();

  // Passes over what is before a position.
  [[nodiscard]] buckets::Outcome<void> SkipTo(std::uint64_t position);

  // The line where the last item begins; the position behind it.
  [[nodiscard]] std::uint64_t line() const { return line_; }
  [[nodiscard]] std::uint64_t position() const { return lines_->position(); }
  // Of the file, 0 to 1; nothing when it is no file.
  [[nodiscard]] std::optional<double> part() const;

 private:
  ItemInput(const std::string& path, buckets::Descriptor file, std::optional<Format> format, const CsvReading& reading);

  [[nodiscard]] Next ReadPlain(std::string_view line);
  [[nodiscard]] Next ReadDynamoDb(std::string_view line);
  [[nodiscard]] buckets::Outcome<Next> ReadRecord(std::string_view line);
  [[nodiscard]] buckets::Outcome<void> TakeHeader(const std::vector<buckets::CsvField>& fields);

  std::string path_;
  buckets::Descriptor place_;  // the same open file, to ask how far it has been read
  std::uint64_t file_bytes_ = 0;
  std::unique_ptr<buckets::LineReader> lines_;
  std::optional<Format> format_;
  CsvReading reading_;
  std::vector<std::string> header_;
  std::uint64_t line_ = 0;
  std::unique_ptr<codec::PlainJsonReader> plain_;
  std::unique_ptr<buckets::ItemLineReader> dynamodb_;
};

}  // namespace taula::transfer
