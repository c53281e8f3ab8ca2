// The scale of a number as it is written: how many digits stand behind its
// point, less its exponent. Where Amazon reads numbers as Java does, one whose
// scale does not fit in 32 bits is no number at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace taula::value {

// Nothing when the exponent or the scale does not fit. `text` may be anything.
[[nodiscard]] std::optional<std::int32_t> WrittenScale(std::string_view text);

}  // namespace taula::value
