// What a design's operations are called with, for people at a command line.
#pragma once

#include <string>

#include "design/model.h"

namespace taula::cli {

// All operations: how each is called, and what it does.
[[nodiscard]] std::string OperationList(const design::Design& design);

// One operation: its parameters with what they are.
[[nodiscard]] std::string OperationUsage(const design::Design& design, const design::Operation& operation);

}  // namespace taula::cli
