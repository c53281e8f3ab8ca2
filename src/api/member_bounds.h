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

// `Limit`, at least one.
inline void CheckLimit(Constraints& constraints, std::optional<std::int64_t> limit, std::int64_t most) {
  if (!limit) return;
  const std::string text = std::to_string(*limit);
  if (*limit < 1) constraints.Violated("limit", text, ValueAtLeast(1));
  if (*limit > most) constraints.Violated("limit", text, ValueAtMost(most));
}

}  // namespace taula::api
