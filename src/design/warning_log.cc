#include "design/warning_log.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "base/log.h"

namespace taula::design {
namespace {

constexpr std::int64_t kIntervalMs = 1000;

}  // namespace

void WarningLog::Write(std::string_view message) {
  if (const std::optional<std::string> line = Line(message, base::SteadyMs())) {
    base::Log(base::LogLevel::kWarning, "{}", *line);
  }
}

std::optional<std::string> WarningLog::Line(std::string_view message, std::int64_t steady_ms) {
  std::int64_t next_ms = next_ms_.load(std::memory_order_relaxed);
  if (steady_ms < next_ms || !next_ms_.compare_exchange_strong(next_ms, steady_ms + kIntervalMs)) {
    left_out_.fetch_add(1, std::memory_order_relaxed);
    return std::nullopt;
  }
  const std::uint64_t left_out = left_out_.exchange(0, std::memory_order_relaxed);
  if (left_out == 0) return std::string(message);
  return fmt::format("{} (and {} more like it since the last line)", message, left_out);
}

}  // namespace taula::design
