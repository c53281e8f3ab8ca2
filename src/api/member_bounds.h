// Bounds of single members that several requests share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/constraints.h"

namespace taula::api {

struct LengthBounds {
  std::size_t least = 0;
  std::size_t most = 0;
};

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

struct ValueBounds {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

inline void CheckRange(Constraints& constraints, std::string_view path, std::optional<std::int64_t> value,
                       ValueBounds bounds) {
  if (!value) return;
  const std::string text = std::to_string(*value);
  if (*value < bounds.least) constraints.Violated(path, text, ValueAtLeast(bounds.least));
  if (*value > bounds.most) constraints.Violated(path, text, ValueAtMost(bounds.most));
}

// `Limit`, at least one.
inline void CheckLimit(Constraints& constraints, std::optional<std::int64_t> limit, std::int64_t most) {
  CheckRange(constraints, "limit", limit, {1, most});
}

}  // namespace taula::api
