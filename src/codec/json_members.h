// The members of a JSON object as the texts that they are, to change one of
// them and leave all others alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taula::codec {

struct JsonMember {
  std::string_view name;  // between its quotes, still escaped
  std::string_view value;
};

// Nothing when the text does not begin as an object does. What is not JSON may
// give anything; whoever needs to know parses it first.
[[nodiscard]] std::optional<std::vector<JsonMember>> SplitJsonObject(std::string_view text);

// The elements of an array; none when the text is no array.
[[nodiscard]] std::vector<std::string_view> SplitJsonArray(std::string_view text);

[[nodiscard]] std::string JoinJsonObject(const std::vector<JsonMember>& members);

}  // namespace taula::codec
