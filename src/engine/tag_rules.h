// What tags may be like.
#pragma once

#include <span>
#include <string>

#include "taula/error.h"
#include "taula/table.h"

namespace taula::engine {

[[nodiscard]] Result<void> CheckTags(std::span<const Tag> tags);
[[nodiscard]] Result<void> CheckTagKeys(std::span<const std::string> keys);
// All tags that a table would have together.
[[nodiscard]] Result<void> CheckTagTotal(std::span<const Tag> tags);

}  // namespace taula::engine
