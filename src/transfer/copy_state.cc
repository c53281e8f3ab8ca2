#include "transfer/copy_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "codec/json_writer.h"
#include "transfer/json_answer.h"

namespace taula::transfer {

std::string ToText(const CopyState& state) {
  std::string text;
  codec::JsonWriter json(text);
  json.BeginObject();
  json.Key("from").String(state.from);
  json.Key("table").String(state.table);
  json.Key("to").String(state.to);
  json.Key("as").String(state.as);
  json.Key("follows").Boolean(state.follows);
  if (!state.stream.empty()) json.Key("stream").Json(state.stream);
  if (!state.scan.empty()) json.Key("scan").Json(state.scan);
  json.Key("changes").Integer(static_cast<std::int64_t>(state.changes));
  json.Key("held_ms").Integer(state.held_ms);
  json.EndObject();
  return text;
}

std::optional<CopyState> CopyStateFrom(std::string_view text) {
  simdjson::dom::parser parser;
  codec::Json json;
  if (parser.parse(text.data(), text.size()).get(json) != simdjson::SUCCESS || !json.is_object()) return std::nullopt;
  CopyState state{.from = TextAt(json, "/from"),
                  .table = TextAt(json, "/table"),
                  .to = TextAt(json, "/to"),
                  .as = TextAt(json, "/as"),
                  .follows = FlagAt(json, "/follows"),
                  .stream = JsonAt(json, "/stream"),
                  .scan = JsonAt(json, "/scan"),
                  .changes = static_cast<std::uint64_t>(IntegerAt(json, "/changes")),
                  .held_ms = IntegerAt(json, "/held_ms")};
  if (state.table.empty() || state.as.empty()) return std::nullopt;
  return state;
}

std::string StateFileName(const CopyState& state) {
  const auto host = [](const std::string& origin) {
    const std::size_t scheme = origin.find("://");
    std::string name = scheme == std::string::npos ? origin : origin.substr(scheme + 3);
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-'; }, '_');
    return name;
  };
  return fmt::format("copy-{}-{}-to-{}-{}.json", host(state.from), state.table, host(state.to), state.as);
}

}  // namespace taula::transfer
