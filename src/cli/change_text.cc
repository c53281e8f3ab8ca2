#include "cli/change_text.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <map>
#include <optional>

#include "base/timestamp.h"

namespace taula::cli {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

// Attributes as plain JSON, by their names.
using Attributes = std::map<std::string, std::string>;

std::string Plain(const element& value);

std::string PlainList(const simdjson::dom::array& values) {
  std::string text = "[";
  for (const element value : values) {
    if (text.size() > 1) text += ",";
    text += Plain(value);
  }
  return text + "]";
}

std::string PlainMap(const object& values) {
  std::string text = "{";
  for (const auto& [name, value] : values) {
    if (text.size() > 1) text += ",";
    text += fmt::format("\"{}\":{}", name, Plain(value));
  }
  return text + "}";
}

// A value of DynamoDB's JSON ({"N": "5"}) without its type (5).
std::string Plain(const element& value) {
  object typed;
  if (value.get(typed) != simdjson::SUCCESS || typed.size() != 1) return simdjson::minify(value);
  const auto [type, inner] = *typed.begin();
  std::string_view text;
  simdjson::dom::array list;
  object map;
  if (type == "N" && inner.get(text) == simdjson::SUCCESS) return std::string(text);
  if (type == "NULL") return "null";
  if (type == "L" && inner.get(list) == simdjson::SUCCESS) return PlainList(list);
  if (type == "M" && inner.get(map) == simdjson::SUCCESS) return PlainMap(map);
  return simdjson::minify(inner);
}

Attributes AttributesAt(const element& record, std::string_view pointer) {
  Attributes attributes;
  object members;
  if (record.at_pointer(pointer).get(members) != simdjson::SUCCESS) return attributes;
  for (const auto& [name, value] : members) attributes.emplace(name, Plain(value));
  return attributes;
}

// A key attribute as people write it: texts without quotes.
std::string Bare(const std::string& plain) {
  return plain.size() >= 2 && plain.front() == '"' ? plain.substr(1, plain.size() - 2) : plain;
}

std::string Differences(const Attributes& before, const Attributes& after) {
  std::string text;
  const auto add = [&](const std::string& difference) { text += (text.empty() ? "  " : ", ") + difference; };
  for (const auto& [name, value] : before) {
    const auto found = after.find(name);
    if (found == after.end()) {
      add(fmt::format("{}: {} → (none)", name, value));
    } else if (found->second != value) {
      add(fmt::format("{}: {} → {}", name, value, found->second));
    }
  }
  for (const auto& [name, value] : after) {
    if (!before.contains(name)) add(fmt::format("{}: (none) → {}", name, value));
  }
  return text;
}

std::string Image(const Attributes& image, const Attributes& keys) {
  std::string text;
  for (const auto& [name, value] : image) {
    if (!keys.contains(name)) text += fmt::format("{}{}: {}", text.empty() ? "  " : ", ", name, value);
  }
  return text;
}

}  // namespace

std::string ChangeText(std::string_view record) {
  simdjson::dom::parser parser;
  element json;
  std::string_view event;
  std::int64_t seconds = 0;
  if (parser.parse(record.data(), record.size()).get(json) != simdjson::SUCCESS ||
      json.at_pointer("/eventName").get(event) != simdjson::SUCCESS) {
    return std::string(record);
  }
  if (json.at_pointer("/dynamodb/ApproximateCreationDateTime").get(seconds) != simdjson::SUCCESS) seconds = 0;
  const Attributes keys = AttributesAt(json, "/dynamodb/Keys");
  const Attributes before = AttributesAt(json, "/dynamodb/OldImage");
  const Attributes after = AttributesAt(json, "/dynamodb/NewImage");
  const std::string time = base::IsoTimestamp(seconds * 1000);
  std::string line = fmt::format("{} {:7}", time.substr(0, 19), event);
  for (const auto& [name, value] : keys) line += fmt::format(" {}={}", name, Bare(value));
  if (!before.empty() && !after.empty()) {
    line += Differences(before, after);
  } else {
    line += Image(after.empty() ? before : after, keys);
  }
  if (!json.at_pointer("/userIdentity").error()) line += "  (expired)";
  return line;
}

}  // namespace taula::cli
