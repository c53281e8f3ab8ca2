#include "transfer/import_state.h"

#include <simdjson.h>

#include <array>
#include <utility>

#include "codec/json_types.h"
#include "codec/json_writer.h"

namespace taula::transfer {
namespace {

constexpr std::array<std::pair<const char*, std::uint64_t ImportState::*>, 6> kNumbers{{
    {"file", &ImportState::file},
    {"position", &ImportState::position},
    {"items", &ImportState::items},
    {"bytes", &ImportState::bytes},
    {"refused", &ImportState::refused},
    {"rejectsBytes", &ImportState::rejects_bytes},
}};

}  // namespace

std::string ImportState::Text() const {
  std::string text;
  codec::JsonWriter json(text);
  json.BeginObject();
  json.Key("importOf").String(of);
  for (const auto& [name, number] : kNumbers) json.Key(name).Integer(static_cast<std::int64_t>(this->*number));
  json.EndObject();
  text.push_back('\n');
  return text;
}

std::optional<ImportState> ImportState::Parse(std::string_view text) {
  simdjson::dom::parser parser;
  codec::Json json;
  std::string_view of;
  if (parser.parse(text.data(), text.size()).get(json) != simdjson::SUCCESS ||
      json["importOf"].get(of) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  ImportState state;
  state.of = of;
  for (const auto& [name, number] : kNumbers) {
    if (json[name].get(state.*number) != simdjson::SUCCESS) return std::nullopt;
  }
  return state;
}

}  // namespace taula::transfer
