#include "transfer/export_state.h"

#include <simdjson.h>

#include "codec/json_types.h"
#include "codec/json_writer.h"

namespace taula::transfer {

std::string ExportState::Text() const {
  std::string text;
  codec::JsonWriter json(text);
  json.BeginObject();
  json.Key("exportOf").String(of);
  json.Key("length").Integer(static_cast<std::int64_t>(length));
  json.Key("bytes").Integer(static_cast<std::int64_t>(bytes));
  json.Key("scan").Json(positions);
  json.EndObject();
  text.push_back('\n');
  return text;
}

std::optional<ExportState> ExportState::Parse(std::string_view text) {
  simdjson::dom::parser parser;
  codec::Json json;
  codec::Json scan;
  std::string_view of;
  ExportState state;
  if (parser.parse(text.data(), text.size()).get(json) != simdjson::SUCCESS ||
      json["exportOf"].get(of) != simdjson::SUCCESS || json["length"].get(state.length) != simdjson::SUCCESS ||
      json["bytes"].get(state.bytes) != simdjson::SUCCESS || json["scan"].get(scan) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  state.of = of;
  state.positions = simdjson::minify(scan);
  return state;
}

}  // namespace taula::transfer
