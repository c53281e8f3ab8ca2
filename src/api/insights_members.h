// Names that the operations on contributor insights share.
#pragma once

#include <string_view>

namespace taula::api {

inline constexpr std::string_view kAllKeysMode = "ACCESSED_AND_THROTTLED_KEYS";
inline constexpr std::string_view kThrottledKeysMode = "THROTTLED_KEYS";

[[nodiscard]] constexpr std::string_view InsightsModeName(bool throttled_keys_only) {
  return throttled_keys_only ? kThrottledKeysMode : kAllKeysMode;
}

}  // namespace taula::api
