// Ports to choose from: "8100-8199".
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace taula::cli {

// Both included. From 0 on: any that is free.
struct PortRange {
  std::uint16_t first = 0;
  std::uint16_t last = 0;
};

[[nodiscard]] inline std::optional<PortRange> ParsePortRange(std::string_view text) {
  PortRange range;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, range.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto last = std::from_chars(first.ptr + 1, end, range.last);
  if (last.ec != std::errc() || last.ptr != end || range.first == 0 || range.last < range.first) return std::nullopt;
  return range;
}

}  // namespace taula::cli
