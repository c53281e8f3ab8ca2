// The tokens by which lists of exports and of imports go on: opaque to clients,
// and good only for the list that gave them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace taula::api {

// The id of the last element of a page. Hexadecimal digits, as Amazon's are.
[[nodiscard]] std::string MakePageToken(std::string_view list, std::string_view id);

// Nothing when the list gave no such token.
[[nodiscard]] std::optional<std::string> ReadPageToken(std::string_view list, std::string_view token);

}  // namespace taula::api
