// The ends of the ARNs of backups, exports and imports: the time of their making
// and eight digits, so that they sort by time.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "base/random_id.h"

namespace taula::engine {

[[nodiscard]] inline std::string TimedId(std::int64_t now_ms, std::uint32_t digits) {
  return fmt::format("{:014}-{:08x}", now_ms, digits);
}

[[nodiscard]] inline std::string NewTimedId(std::int64_t now_ms) {
  return TimedId(now_ms, static_cast<std::uint32_t>(base::Random64()));
}

}  // namespace taula::engine
