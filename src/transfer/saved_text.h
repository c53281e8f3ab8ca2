// A small file that is there as a whole or as it was before, whatever happens:
// where somebody keeps how far he is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "buckets/failure.h"

namespace taula::transfer {

[[nodiscard]] buckets::Outcome<void> SaveText(const std::string& path, std::string_view text);
// Nothing when there is no such file.
[[nodiscard]] buckets::Outcome<std::optional<std::string>> LoadText(const std::string& path);

}  // namespace taula::transfer
