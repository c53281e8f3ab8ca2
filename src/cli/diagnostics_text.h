// Diagnostics of a design as a person or a program reads them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "design/diagnostic.h"

namespace taula::cli {

struct TextStyle {
  std::size_t columns = 100;
  bool colours = false;
};

// As the terminal behind the file descriptor likes it. Without one, or with
// NO_COLOR in the environment, there are no colours.
[[nodiscard]] TextStyle StyleOf(int file_descriptor);

// Like a compiler's: place, code, what; the line with a caret; why and fix.
// `text` is that of the file.
[[nodiscard]] std::string DiagnosticsText(std::string_view file, std::string_view text,
                                          const design::Diagnostics& diagnostics, const TextStyle& style = {});

// Adds the elements of a JSON array, one a line; `is_first` tells whether a comma
// is needed before them, and is kept up to date.
void AppendDiagnosticsJson(std::string& out, std::string_view file, const design::Diagnostics& diagnostics,
                           bool& is_first);

}  // namespace taula::cli
