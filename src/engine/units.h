// Capacity units for a number of bytes.
#pragma once

#include <algorithm>
#include <cstddef>

namespace taula::engine {

inline constexpr std::size_t kReadUnitBytes = 4096;
inline constexpr std::size_t kWriteUnitBytes = 1024;

// How much dearer the table's own part of a transaction is.
inline constexpr double kTransactionFactor = 2;

// Nothing read still costs one unit.
[[nodiscard]] inline double ReadUnits(std::size_t bytes, bool consistent_read) {
  const double units = static_cast<double>(std::max<std::size_t>(1, (bytes + kReadUnitBytes - 1) / kReadUnitBytes));
  return consistent_read ? units : units / 2;
}

[[nodiscard]] inline double WriteUnits(std::size_t bytes) {
  return static_cast<double>(std::max<std::size_t>(1, (bytes + kWriteUnitBytes - 1) / kWriteUnitBytes));
}

}  // namespace taula::engine
