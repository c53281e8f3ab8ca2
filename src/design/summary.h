// A design as JSON for programs that look at it: its tables, entities and
// operations with their parameters.
#pragma once

#include <string>
#include <string_view>

#include "design/model.h"

namespace taula::design {

// Table names are those of the stage; an empty one is the design's own.
[[nodiscard]] std::string DesignSummary(const Design& design, std::string_view stage);

}  // namespace taula::design
