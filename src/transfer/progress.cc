#include "transfer/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/clock.h"

namespace taula::transfer {
namespace {

constexpr std::int64_t kShowMs = 200;
constexpr std::size_t kBarLetters = 20;
constexpr double kSecondsMin = 0.001;

std::uint64_t ItemsPerSecond(const Amount& now, const Amount& at_start, double seconds) {
  return static_cast<std::uint64_t>(static_cast<double>(now.items - at_start.items) / std::max(seconds, kSecondsMin));
}

std::string Bar(double part) {
  const auto full = static_cast<std::size_t>(part * static_cast<double>(kBarLetters));
  return std::string(full, '#') + std::string(kBarLetters - full, '-');
}

}  // namespace

std::string Grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string BytesText(std::uint64_t bytes) {
  constexpr std::array<const char*, 4> kUnits = {"KB", "MB", "GB", "TB"};
  constexpr double kStep = 1000;
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  double amount = static_cast<double>(bytes) / kStep;
  std::size_t unit = 0;
  while (amount >= kStep && unit + 1 < kUnits.size()) {
    amount /= kStep;
    ++unit;
  }
  return fmt::format("{:.1f} {}", amount, kUnits.at(unit));
}

std::string DurationText(double seconds) {
  constexpr std::uint64_t kMinute = 60;
  constexpr std::uint64_t kHour = 60 * kMinute;
  if (seconds < 1) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < kMinute) return fmt::format("{} s", whole);
  if (whole < kHour) return fmt::format("{} min {} s", whole / kMinute, whole % kMinute);
  return fmt::format("{} h {} min", whole / kHour, whole % kHour / kMinute);
}

std::string ProgressLine(const Amount& now, const Amount& at_start, double seconds) {
  std::string line;
  const double part = std::clamp(now.part.value_or(0), 0.0, 1.0);
  if (now.part) line = fmt::format("{:3.0f} % [{}] ", part * 100, Bar(part));
  line += fmt::format("{} items  {}  {} items/s", Grouped(now.items), BytesText(now.bytes),
                      Grouped(ItemsPerSecond(now, at_start, seconds)));
  const double progress = part - at_start.part.value_or(0);
  if (now.part && progress > 0.01 && seconds > 1) {
    line += fmt::format("  {} left", DurationText(seconds * (1 - part) / progress));
  }
  return line;
}

std::string SummaryText(const Amount& now, const Amount& at_start, double seconds) {
  return fmt::format("{} items, {}, in {} ({} items/s)", Grouped(now.items), BytesText(now.bytes),
                     DurationText(seconds), Grouped(ItemsPerSecond(now, at_start, seconds)));
}

Progress::Progress(bool quiet, const Amount& at_start)
    : is_shown_(!quiet && isatty(STDERR_FILENO) == 1), at_start_(at_start), started_ms_(base::SteadyMs()) {}

double Progress::Seconds() const { return static_cast<double>(base::SteadyMs() - started_ms_) / 1000; }

void Progress::Show(const Amount& now) {
  if (!is_shown_ || base::SteadyMs() - shown_ms_ < kShowMs) return;
  shown_ms_ = base::SteadyMs();
  // From the line's beginning, and nothing left of a longer one.
  fmt::print(stderr, "\r{}\x1b[K", ProgressLine(now, at_start_, Seconds()));
  (void)std::fflush(stderr);
  has_line_ = true;
}

void Progress::Clear() {
  if (std::exchange(has_line_, false)) fmt::print(stderr, "\r\x1b[K");
}

std::string Progress::Summary(const Amount& now) const { return SummaryText(now, at_start_, Seconds()); }

}  // namespace taula::transfer
