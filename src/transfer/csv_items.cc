#include "transfer/csv_items.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "codec/json_writer.h"
#include "value/map_builder.h"
#include "value/type_name.h"

namespace taula::transfer {
namespace {

using buckets::CsvField;
using codec::PlainJsonReader;
using Cell = std::expected<Value, std::string>;

const ColumnType* TypeOf(const ColumnTypes& typed, std::string_view name) {
  const auto found = std::ranges::find(typed, name, &ColumnType::name);
  return found == typed.end() ? nullptr : &*found;
}

std::optional<Type> TypeNamed(std::string_view name) {
  for (auto type = static_cast<int>(Type::kNull); type <= static_cast<int>(Type::kMap); ++type) {
    if (value::TypeName(static_cast<Type>(type)) == name) return static_cast<Type>(type);
  }
  return std::nullopt;
}

bool MayBeComposed(std::string_view text) {
  return text.starts_with('{') || text.starts_with('[') || text.starts_with('"');
}

// As JSON writes it: no sign of plus, no zeros in front. 007 is a text.
bool IsJsonNumber(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || text.front() < '0' || text.front() > '9') return false;
  if (text.front() == '0' && text.size() > 1 && text[1] >= '0' && text[1] <= '9') return false;
  return !text.ends_with('.') && !text.contains(".e") && !text.contains(".E");
}

// What a cell that is not quoted is besides a text.
std::optional<Value> Word(std::string_view text) {
  if (text == "true") return Value::Bool(true);
  if (text == "false") return Value::Bool(false);
  if (text == "null") return Value::Null();
  return IsJsonNumber(text) ? Value::Number(text) : std::nullopt;
}

std::optional<Value> Composed(std::string_view text, PlainJsonReader& json) {
  if (!MayBeComposed(text)) return std::nullopt;
  auto value = json.ReadValue(text);
  if (!value) return std::nullopt;
  return *std::move(value);
}

void AppendField(std::string& out, std::string_view text, bool quoted) {
  if (!quoted && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out.append(text);
    return;
  }
  out.push_back('"');
  for (const char each : text) {
    if (each == '"') out.push_back('"');
    out.push_back(each);
  }
  out.push_back('"');
}

// Spaces at the ends are kept by quotes, for readers that would drop them.
bool NeedsQuotes(std::string_view text) {
  return text.empty() || text.front() == ' ' || text.back() == ' ' || Word(text).has_value();
}

void AppendText(std::string& out, std::string_view text, PlainJsonReader& json) {
  if (!Composed(text, json)) return AppendField(out, text, NeedsQuotes(text));
  std::string quoted;
  codec::AppendStringJson(quoted, text);
  AppendField(out, quoted, true);
}

void AppendCell(std::string& out, ValueView value, const ColumnType* type, PlainJsonReader& json) {
  if (value.type() == Type::kString) {
    const bool is_known = type != nullptr && type->type == Type::kString;
    if (is_known) return AppendField(out, value.bytes(), NeedsQuotes(value.bytes()));
    return AppendText(out, value.bytes(), json);
  }
  if (value.type() == Type::kBinary && type != nullptr && type->type == Type::kBinary) {
    return base::AppendBase64(out, value.bytes());
  }
  std::string text;
  codec::AppendPlainJson(text, value, codec::TypeMarks::kWritten);
  AppendField(out, text, false);
}

// For a column of numbers, and so on.
std::string Named(Type type) {
  switch (type) {
    case Type::kNumber:
      return "a number with at most 38 digits";
    case Type::kBinary:
      return "Base64";
    case Type::kBool:
      return "true or false";
    default:
      return fmt::format("JSON of type {}", value::TypeName(type));
  }
}

std::optional<Value> SetOf(const Value& list, Type type) {
  std::string marked = R"({"$set":)";
  codec::AppendPlainJson(marked, list.view(), codec::TypeMarks::kWritten);
  marked.push_back('}');
  auto set = PlainJsonReader(codec::TypeMarks::kWritten).ReadValue(marked);
  if (!set || set->type() != type) return std::nullopt;
  return *std::move(set);
}

Cell Typed(const std::string& text, Type type, PlainJsonReader& json) {
  if (type == Type::kString) return Value(text);
  std::optional<Value> value;
  if (type == Type::kNumber) {
    value = Value::Number(text);
  } else if (std::string bytes; type == Type::kBinary && base::AppendBase64Decoded(bytes, text)) {
    value = Value::Binary(bytes);
  } else if (auto read = json.ReadValue(text)) {
    value = read->type() == Type::kList && type != Type::kList ? SetOf(*read, type) : *std::move(read);
  }
  if (value && value->type() == type) return *std::move(value);
  return std::unexpected(fmt::format("is not {}: '{}'", Named(type), text.substr(0, 40)));
}

Value Untyped(const CsvField& field, const CsvReading& reading, PlainJsonReader& json) {
  if (reading.only_text) return Value(field.text);
  if (!field.quoted) {
    if (auto word = Word(field.text)) return *std::move(word);
  }
  if (auto composed = Composed(field.text, json)) return *std::move(composed);
  return Value(field.text);
}

}  // namespace

std::expected<ColumnTypes, std::string> ParseColumnTypes(std::string_view text) {
  ColumnTypes types;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const std::size_t colon = one.rfind(':');
    const auto type = colon == std::string_view::npos ? std::nullopt : TypeNamed(one.substr(colon + 1));
    if (!type || colon == 0) {
      return std::unexpected(
          fmt::format("'{}' is not NAME:TYPE with one of the types S, N, B, BOOL, NULL, SS, NS, BS, L and M", one));
    }
    types.push_back({std::string(one.substr(0, colon)), *type});
  }
  return types;
}

void AppendCsvHeader(std::string& out, std::span<const std::string> columns) {
  for (const std::string& column : columns) {
    if (&column != &columns.front()) out.push_back(',');
    AppendField(out, column, column.empty());
  }
  out.append("\r\n");
}

void AppendCsvRecord(std::string& out, std::span<const std::string> columns, const ColumnTypes& typed, const Item& item,
                     PlainJsonReader& json) {
  for (const std::string& column : columns) {
    if (&column != &columns.front()) out.push_back(',');
    if (const auto value = item.Find(column)) AppendCell(out, *value, TypeOf(typed, column), json);
  }
  out.append("\r\n");
}

std::expected<Item, std::string> ItemOfRecord(const std::vector<std::string>& columns,
                                              const std::vector<CsvField>& fields, const CsvReading& reading,
                                              PlainJsonReader& json) {
  if (fields.size() != columns.size()) {
    return std::unexpected(fmt::format("the record has {} fields, the header {}", fields.size(), columns.size()));
  }
  std::string encoded;
  value::MapBuilder map(encoded);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const CsvField& field = fields[i];
    const ColumnType* const typed = TypeOf(reading.typed, columns[i]);
    const Type type = typed == nullptr ? Type::kString : typed->type;
    const bool can_be_empty = type == Type::kString && (field.quoted || reading.keep_empty);
    if (field.text.empty() && !can_be_empty) continue;
    if (!simdjson::validate_utf8(field.text)) return std::unexpected(fmt::format("column {} is not UTF-8", columns[i]));
    Cell value = typed == nullptr ? Untyped(field, reading, json) : Typed(field.text, type, json);
    if (!value) return std::unexpected(fmt::format("column {} {}", columns[i], value.error()));
    map.Add(columns[i], value->view());
  }
  map.Finish();
  return Item::FromEncoded(std::move(encoded));
}

}  // namespace taula::transfer
