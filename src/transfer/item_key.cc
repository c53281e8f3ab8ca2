#include "transfer/item_key.h"

#include <simdjson.h>

#include "codec/json_writer.h"
#include "value/number.h"

namespace taula::transfer {
namespace {

bool AppendKeyValue(std::string& out, codec::Json value) {
  std::string_view text;
  if (value["S"].get(text) == simdjson::SUCCESS) {
    out += "{\"S\":";
  } else if (value["B"].get(text) == simdjson::SUCCESS) {
    out += "{\"B\":";
  } else if (value["N"].get(text) == simdjson::SUCCESS) {
    const auto number = value::Number::Parse(text);
    if (!number) return false;
    out.append("{\"N\":\"").append(number->Text()).append("\"}");
    return true;
  } else {
    return false;
  }
  codec::AppendStringJson(out, text);
  out += '}';
  return true;
}

}  // namespace

std::optional<std::string> KeyOf(codec::Json item, const KeyNames& names) {
  std::string key = "{";
  for (const std::string& name : names) {
    codec::Json value;
    if (item[name].get(value) != simdjson::SUCCESS) return std::nullopt;
    if (key.size() > 1) key += ',';
    codec::AppendStringJson(key, name);
    key += ':';
    if (!AppendKeyValue(key, value)) return std::nullopt;
  }
  key += '}';
  return key;
}

std::optional<std::string> KeyOf(std::string_view item, const KeyNames& names) {
  thread_local simdjson::dom::parser parser;
  codec::Json json;
  if (parser.parse(item.data(), item.size()).get(json) != simdjson::SUCCESS) return std::nullopt;
  return KeyOf(json, names);
}

}  // namespace taula::transfer
