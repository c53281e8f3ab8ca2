// Pieces of a server's answer, by where they stand in its JSON; what is not
// there, or of another type, is nothing.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/json_types.h"
#include "taula/error.h"

namespace taula::transfer {

[[nodiscard]] inline std::string TextAt(codec::Json json, std::string_view pointer) {
  std::string_view text;
  return json.at_pointer(pointer).get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

[[nodiscard]] inline std::int64_t IntegerAt(codec::Json json, std::string_view pointer) {
  std::int64_t number = 0;
  return json.at_pointer(pointer).get(number) == simdjson::SUCCESS ? number : 0;
}

[[nodiscard]] inline bool FlagAt(codec::Json json, std::string_view pointer) {
  bool truth = false;
  return json.at_pointer(pointer).get(truth) == simdjson::SUCCESS && truth;
}

// As text without spaces; empty when it is not there.
[[nodiscard]] inline std::string JsonAt(codec::Json json, std::string_view pointer) {
  codec::Json found;
  return json.at_pointer(pointer).get(found) == simdjson::SUCCESS ? std::string(simdjson::minify(found))
                                                                  : std::string();
}

// Calls `each` for the elements of a list that may not be there.
template <typename Each>
void ForEachAt(codec::Json json, std::string_view pointer, Each each) {
  simdjson::dom::array list;
  if (json.at_pointer(pointer).get(list) != simdjson::SUCCESS) return;
  for (const codec::Json element : list) each(element);
}

[[nodiscard]] inline std::unexpected<Error> NotAnAnswer(std::string_view operation) {
  return Fail(ErrorCode::kServiceUnavailable,
              "The server's answer to " + std::string(operation) + " is not as DynamoDB's would be.");
}

}  // namespace taula::transfer
