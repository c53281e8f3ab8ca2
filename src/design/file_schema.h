// The JSON Schema of design files, which editors complete and check them with.
#pragma once

#include <string_view>

namespace taula::design {

// designs/design.schema.json, word for word; it becomes part of the program
// when it is built.
[[nodiscard]] std::string_view DesignFileSchema();

}  // namespace taula::design
