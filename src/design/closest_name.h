// "Did you mean …?" for a name that nobody knows.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace taula::design {

// The known name that is a slip or two away; empty when none is.
[[nodiscard]] std::string_view ClosestName(std::string_view name, std::span<const std::string_view> known);

// A sentence: "Did you mean 'sort'?", or the known names when none is close.
[[nodiscard]] std::string SuggestName(std::string_view name, std::span<const std::string_view> known);

}  // namespace taula::design
