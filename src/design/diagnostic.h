// What the checker has to say about a design: what is wrong, where, why it
// matters and how to mend it.
#pragma once

#include <string>
#include <vector>

#include "design/place.h"

namespace taula::design {

enum class Severity { kError, kWarning, kNote };

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;  // stable and telling, such as "refused-query"; docs/design-checks.md has a section for each
  Place place;
  std::string what;  // one sentence, without a full stop
  std::string why;   // sentences; may be empty
  std::string fix;   // sentences; may be empty
};

using Diagnostics = std::vector<Diagnostic>;

[[nodiscard]] inline bool HasErrors(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == Severity::kError) return true;
  }
  return false;
}

}  // namespace taula::design
