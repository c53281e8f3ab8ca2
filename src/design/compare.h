// What a changed design means for the items that were written under the one
// before.
#pragma once

#include <string>
#include <vector>

#include "design/model.h"

namespace taula::design {

// A sentence for each difference that existing items can feel; none when there
// is none. Tables are compared by table_setup.h, with what is really there.
[[nodiscard]] std::vector<std::string> CompareDesigns(const Design& before, const Design& now);

}  // namespace taula::design
