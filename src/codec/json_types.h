// What Amazon says when JSON is of another type than the API's model has it.
// Its words are those of its Java deserialiser, and differ by where the value
// stands.
#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>

namespace taula::codec {

using Json = simdjson::dom::element;
using JsonType = simdjson::dom::element_type;

// Where a value stands: a member of a structure, or inside of a list or map.
enum class JsonPlace { kMember, kElement };

// These are called for a value that is not of the type they are named after.
// `java_type` is String, Boolean, Integer, Long or Double.
[[nodiscard]] std::string NotAScalar(Json got, std::string_view java_type);
[[nodiscard]] std::string NotABlob(Json got);
[[nodiscard]] std::string NotAList(Json got, JsonPlace place);
// `type` is the name of a structure of the API. For what a map holds it may be
// any Java type, recognised by a dot in its name.
[[nodiscard]] std::string NotAMap(Json got, JsonPlace place, std::string_view type);
[[nodiscard]] std::string NotAStructure(Json got, JsonPlace place, std::string_view type);

// What a text that is not Base64 is answered with.
[[nodiscard]] std::string NotBase64(std::string_view text);

// A boolean, or one of the words that count as one. On failure `error` says why.
[[nodiscard]] bool ReadJsonBoolean(Json json, bool& truth, std::string& error);

}  // namespace taula::codec
