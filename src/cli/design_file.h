// The design that a command is about: its file found and read.
#pragma once

#include <expected>
#include <optional>
#include <string>

#include "design/model.h"

namespace taula::cli {

// Where the design is that a command names: the file itself if it is one,
// otherwise designs/NAME/design.yaml below the current folder. Nothing when
// neither is there.
[[nodiscard]] std::optional<std::string> FindDesignFile(const std::string& name);

// The error is what to say on stderr, a line or several.
[[nodiscard]] std::expected<design::Design, std::string> ReadDesign(const std::string& file);

}  // namespace taula::cli
