#include "cloudwatch/json_protocol.h"

#include <simdjson.h>

#include <limits>

#include "codec/json_writer.h"

namespace taula::cloudwatch {
namespace {

using Json = simdjson::dom::element;
using JsonType = simdjson::dom::element_type;

// Nothing for what is nested too deeply.
std::optional<Document> ToDocument(Json json, std::size_t depth) {
  if (depth > kDepthMax) return std::nullopt;
  switch (json.type()) {
    case JsonType::OBJECT: {
      Document::Struct members;
      for (const auto [name, value] : simdjson::dom::object(json)) {
        std::optional<Document> document = ToDocument(value, depth + 1);
        if (!document) return std::nullopt;
        members.push_back({std::string(name), *std::move(document)});
      }
      return Document{std::move(members)};
    }
    case JsonType::ARRAY: {
      Document::List list;
      for (const Json each : simdjson::dom::array(json)) {
        std::optional<Document> document = ToDocument(each, depth + 1);
        if (!document) return std::nullopt;
        list.push_back(*std::move(document));
      }
      return Document{std::move(list)};
    }
    case JsonType::STRING:
      return Document{std::string(std::string_view(json))};
    case JsonType::INT64:
      return Document{std::int64_t(json)};
    case JsonType::UINT64:
      return Document{std::numeric_limits<double>::infinity()};
    case JsonType::DOUBLE:
      return Document{double(json)};
    case JsonType::BOOL:
      return Document{bool(json)};
    case JsonType::NULL_VALUE:
      break;
  }
  return Document{Document::Null()};
}

struct ValueWriter {
  codec::JsonWriter& json;

  void operator()(const Document::Null&) const { json.Json("null"); }
  void operator()(const Document::Raw& raw) const { json.String(raw.text); }
  void operator()(const std::string& text) const { json.String(text); }
  void operator()(std::int64_t number) const { json.Integer(number); }
  void operator()(double number) const { json.Double(number); }
  void operator()(bool truth) const { json.Boolean(truth); }
  void operator()(const Document::Time& time) const { json.Double(static_cast<double>(time.ms) / 1000); }
  void operator()(const Document::List& list) const {
    json.BeginArray();
    for (const Document& each : list) std::visit(*this, each.value);
    json.EndArray();
  }
  void operator()(const Document::Struct& members) const { WriteMembers(members); }
  void operator()(const Document::Map& map) const { WriteMembers(map.entries); }

  void WriteMembers(const std::vector<Member>& members) const {
    json.BeginObject();
    for (const Member& each : members) {
      json.Key(each.name);
      std::visit(*this, each.value.value);
    }
    json.EndObject();
  }
};

}  // namespace

Outcome<Document> ReadJson(std::string_view body) {
  if (body.empty()) return Document{Document::Struct()};
  simdjson::dom::parser parser;
  Json json;
  if (parser.parse(body.data(), body.size()).get(json) != simdjson::SUCCESS || !json.is_object()) return Malformed("");
  std::optional<Document> document = ToDocument(json, 0);
  if (!document) return Malformed("");
  return *std::move(document);
}

HttpAnswer WriteJson(const Document& output) {
  HttpAnswer answer{.content_type = "application/x-amz-json-1.0"};
  codec::JsonWriter json(answer.body);
  std::visit(ValueWriter{json}, output.value);
  return answer;
}

}  // namespace taula::cloudwatch
