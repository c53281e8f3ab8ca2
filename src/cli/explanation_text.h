// An explanation, as X-Taula-Explain has it, for people to read.
#pragma once

#include <string>
#include <string_view>

namespace taula::cli {

[[nodiscard]] std::string ExplanationText(std::string_view json);

}  // namespace taula::cli
