// Times as designs write them: texts of RFC 3339 in UTC, or seconds since 1970.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "design/model.h"
#include "taula/value.h"

namespace taula::design {

[[nodiscard]] Value TimeValue(std::int64_t ms, TimeFormat format);

// "2024-11-02T15:30:00Z", with or without a fraction, or a date alone, which is
// its midnight. Milliseconds since 1970.
[[nodiscard]] std::optional<std::int64_t> ParseTime(std::string_view text);

}  // namespace taula::design
