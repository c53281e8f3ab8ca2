#include "cloudwatch/statistic.h"

#include <array>
#include <charconv>
#include <utility>

namespace taula::cloudwatch {
namespace {

using Kind = Statistic::Kind;

constexpr auto kPlain = std::to_array<std::pair<std::string_view, Kind>>({
    {"SampleCount", Kind::kSampleCount},
    {"Average", Kind::kAverage},
    {"Sum", Kind::kSum},
    {"Minimum", Kind::kMinimum},
    {"Maximum", Kind::kMaximum},
});

constexpr std::size_t kDecimalsMax = 10;

}  // namespace

std::optional<double> Statistic::Of(const metrics::Measure& measure) const {
  if (measure.count == 0) return std::nullopt;
  switch (kind) {
    case Kind::kSampleCount:
      return static_cast<double>(measure.count);
    case Kind::kAverage:
      return measure.average();
    case Kind::kSum:
      return measure.sum;
    case Kind::kMinimum:
      return measure.min;
    case Kind::kMaximum:
      return measure.max;
    case Kind::kPercentile:
      break;
  }
  return measure.Percentile(share);
}

std::optional<Statistic> ParsePlainStatistic(std::string_view name) {
  for (const auto& [each, kind] : kPlain) {
    if (each == name) return Statistic{.kind = kind, .name = std::string(name)};
  }
  return std::nullopt;
}

std::optional<Statistic> ParsePercentile(std::string_view name) {
  constexpr double kPercent = 100;
  if (!name.starts_with('p')) return std::nullopt;
  const std::string_view digits = name.substr(1);
  if (digits.empty() || digits.find_first_not_of("0123456789.") != std::string_view::npos) return std::nullopt;
  const std::size_t dot = digits.find('.');
  if (dot != std::string_view::npos && digits.size() - dot - 1 > kDecimalsMax) return std::nullopt;
  double percent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), percent);
  if (error != std::errc() || end != digits.data() + digits.size() || percent > kPercent) return std::nullopt;
  return Statistic{.kind = Kind::kPercentile, .share = percent / kPercent, .name = std::string(name)};
}

}  // namespace taula::cloudwatch
