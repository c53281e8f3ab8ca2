#include "buckets/item_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/base64.h"
#include "buckets/csv.h"
#include "value/map_builder.h"

namespace taula::buckets {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Nothing when the text does not stand for a value of the type.
std::optional<Value> TypedValue(const std::string& text, Type type) {
  if (type == Type::kNumber) return Value::Number(text);
  if (type != Type::kBinary) return Value(text);
  std::string bytes;
  if (!base::AppendBase64Decoded(bytes, text)) return std::nullopt;
  return Value::Binary(bytes);
}

}  // namespace

ItemReader::Next ItemReader::Lost(std::string message) {
  lost_ = true;
  return BadItem{std::move(message), true};
}

Outcome<ItemReader::Next> ItemReader::Read() {
  while (!lost_) {
    Outcome<std::optional<std::string_view>> line = lines_.Next();
    if (!line && line.error().code == kMalformed) return Lost(line.error().message);
    if (!line) return std::unexpected(line.error());
    if (!*line) break;
    std::string_view text = **line;
    if (std::exchange(first_, false) && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (text.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (!format_.csv) return ReadJson(text);
    Outcome<Next> read = ReadCsv(text);
    if (!read || !std::holds_alternative<std::monostate>(*read)) return read;
  }
  return std::monostate();
}

ItemReader::Next ItemReader::ReadJson(std::string_view line) {
  std::expected<Item, BadItem> item = line_.Read(line);
  if (item) return *std::move(item);
  lost_ = item.error().rest_is_lost;
  return std::move(item.error());
}

// Nothing for a header.
Outcome<ItemReader::Next> ItemReader::ReadCsv(std::string_view line) {
  std::vector<CsvField> fields;
  const Outcome<CsvRecord> state = buckets::ReadCsv(lines_, line, format_.delimiter, fields);
  if (!state) return std::unexpected(state.error());
  if (*state == CsvRecord::kOpen) return Lost("A field in quotes has no end");
  if (*state == CsvRecord::kWrong) return BadItem{"A double quote inside of a field is not escaped"};
  return header_.empty() ? ReadHeader(fields) : MakeItem(fields);
}

ItemReader::Next ItemReader::ReadHeader(const std::vector<CsvField>& fields) {
  std::vector<std::string> names;
  for (const CsvField& field : fields) names.push_back(field.text);
  const std::set<std::string_view> different(names.begin(), names.end());
  if (different.size() != names.size()) return Lost("The header names a column twice");
  if (different.contains("")) return Lost("The header has a column without a name");
  for (const std::string& name : names) {
    if (!simdjson::validate_utf8(name)) return Lost("The name of a column is not UTF-8");
  }
  header_ = std::move(names);
  return {};
}

ItemReader::Next ItemReader::MakeItem(const std::vector<CsvField>& fields) const {
  if (fields.size() != header_.size()) {
    return BadItem{fmt::format("The record has {} fields, the header {}", fields.size(), header_.size())};
  }
  std::string encoded;
  value::MapBuilder map(encoded);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!simdjson::validate_utf8(fields[i].text)) {
      return BadItem{fmt::format("The value of column {} is not UTF-8", header_[i])};
    }
    const auto typed = std::ranges::find(format_.typed, header_[i], &AttributeDefinition::name);
    const Type type = typed == format_.typed.end() ? Type::kString : typed->type;
    const std::optional<Value> value = TypedValue(fields[i].text, type);
    if (!value) {
      return BadItem{fmt::format("The value of column {} is not a {}", header_[i],
                                 type == Type::kNumber ? "number" : "binary in Base64")};
    }
    map.Add(header_[i], value->view());
  }
  map.Finish();
  return Item::FromEncoded(std::move(encoded));
}

}  // namespace taula::buckets
