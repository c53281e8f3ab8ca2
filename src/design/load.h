// Reads design files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "design/diagnostic.h"
#include "design/model.h"

namespace taula::design {

struct Loaded {
  std::optional<Design> design;  // nothing when there are errors
  Diagnostics diagnostics;       // in the order of their places
  std::string text;              // the file, for those who show what they are about
};

// Of a file's text: YAML that cannot be read, unknown and missing members,
// wrong types, names that refer to nothing. What check.h finds is not looked for.
[[nodiscard]] Loaded LoadDesign(std::string_view text, std::string path);

// Reads the file first; one that cannot be read is a diagnostic without a place.
[[nodiscard]] Loaded LoadDesignFile(const std::string& path);

// Whether it can be the name of a design, an entity, an operation and so on.
[[nodiscard]] bool IsName(std::string_view name);

}  // namespace taula::design
