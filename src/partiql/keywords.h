// The words that PartiQL keeps for itself: no attribute can be named by one of
// them unless it is put in double quotes.
#pragma once

#include <string_view>

namespace taula::partiql {

// `word` in lower case.
[[nodiscard]] bool IsKeyword(std::string_view word);
// Those keywords that are operators: AND, IN, …
[[nodiscard]] bool IsOperatorWord(std::string_view word);
// Those that name a function when a parenthesis follows.
[[nodiscard]] bool IsFunctionKeyword(std::string_view word);
// Those that name a type, for IS.
[[nodiscard]] bool IsTypeName(std::string_view word);

}  // namespace taula::partiql
