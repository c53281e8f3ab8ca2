// The constraints on members that requests on streams share.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/constraints.h"

namespace taula::api {

struct LengthBounds {
  std::size_t least = 0;
  std::size_t most = 0;
};

inline constexpr LengthBounds kStreamArnLength{.least = 37, .most = 1024};
inline constexpr LengthBounds kShardIdLength{.least = 28, .most = 65};
inline constexpr LengthBounds kSequenceNumberLength{.least = 21, .most = 40};
inline constexpr LengthBounds kShardIteratorLength{.least = 1, .most = 2048};

inline void CheckLength(Constraints& constraints, std::string_view path, std::optional<std::string_view> text,
                        LengthBounds bounds) {
  if (!text) return;
  if (text->size() < bounds.least) constraints.Violated(path, *text, LengthAtLeast(bounds.least));
  if (text->size() > bounds.most) constraints.Violated(path, *text, LengthAtMost(bounds.most));
}

inline void CheckRequiredLength(Constraints& constraints, std::string_view path, std::optional<std::string_view> text,
                                LengthBounds bounds) {
  if (!text) constraints.Missing(path);
  CheckLength(constraints, path, text, bounds);
}

// `Limit`, at least one.
inline void CheckLimit(Constraints& constraints, std::optional<std::int64_t> limit, std::int64_t most) {
  if (!limit) return;
  const std::string text = std::to_string(*limit);
  if (*limit < 1) constraints.Violated("limit", text, ValueAtLeast(1));
  if (*limit > most) constraints.Violated("limit", text, ValueAtMost(most));
}

}  // namespace taula::api
