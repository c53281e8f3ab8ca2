// JSON for people: a member a line, indented.
#pragma once

#include <string>
#include <string_view>

namespace taula::cli {

// Of a text that is JSON; nothing but the space between its parts changes.
[[nodiscard]] std::string PrettyJson(std::string_view json);

}  // namespace taula::cli
