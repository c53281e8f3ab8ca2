// What Amazon answers to legacy parameters that make no sense.
#pragma once

#include <expected>
#include <string>

#include "taula/error.h"

namespace taula::expression {

[[nodiscard]] inline std::unexpected<Error> InvalidParameter(const std::string& message) {
  return ValidationError("One or more parameter values were invalid: " + message);
}

}  // namespace taula::expression
