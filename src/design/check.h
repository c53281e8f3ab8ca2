// What is unwise or impossible in a design that can be read.
#pragma once

#include "design/diagnostic.h"
#include "design/model.h"

namespace taula::design {

[[nodiscard]] Diagnostics CheckDesign(const Design& design);

}  // namespace taula::design
