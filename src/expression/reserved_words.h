// DynamoDB's reserved words, which a path can name only through a placeholder.
#pragma once

#include <string_view>

namespace taula::expression {

// Whatever the case of the letters.
[[nodiscard]] bool IsReservedWord(std::string_view name);

}  // namespace taula::expression
