// What CloudWatch tells of the rules by which contributor insights count keys
// (engine/contributor_insights.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/contributor_insights.h"

namespace taula::cloudwatch {

// Capacity units that were consumed, rather than requests that were throttled.
[[nodiscard]] bool CountsUnits(engine::KeyRule rule);

// The attributes whose values tell one contributor from another.
[[nodiscard]] std::vector<catalog::KeyAttribute> KeyAttributesOf(const engine::FoundRule& rule);

// The values of those attributes, in words: strings and numbers as they are,
// binary ones in Base64. `parts` are the bytes of the key in the store.
[[nodiscard]] std::vector<std::string> KeyTexts(const std::vector<catalog::KeyAttribute>& attributes,
                                                std::string_view parts);

}  // namespace taula::cloudwatch
