// What a file of items is, by its name: orders.csv, orders.ndjson.gz, and so on.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "buckets/byte_source.h"

namespace taula::transfer {

enum class Format : std::uint8_t {
  kNdjson,        // plain JSON, an item a line
  kDynamoDbJson,  // {"Item":{"pk":{"S":"a"}}}, as in Amazon's exports
  kCsv,
};

// "ndjson", "dynamodb-json", "csv"
[[nodiscard]] std::string_view NameOf(Format format);
[[nodiscard]] std::optional<Format> FormatNamed(std::string_view name);

struct FileKind {
  std::optional<Format> format;  // nothing: the name does not tell
  buckets::Compression compression = buckets::Compression::kNone;
};
// "-" and the like tell nothing. Of .json the first line has to tell.
[[nodiscard]] FileKind KindOf(std::string_view path);

}  // namespace taula::transfer
