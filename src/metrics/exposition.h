// The text that Prometheus reads: its exposition format, version 0.0.4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/metric.h"
#include "metrics/traffic.h"

namespace taula::metrics {

inline constexpr std::string_view kExpositionMediaType = "text/plain; version=0.0.4; charset=utf-8";

class Exposition {
 public:
  enum class Type : std::uint8_t { kCounter, kGauge, kHistogram };
  // Those without a value are left out.
  using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

  // All samples of a family follow its begin.
  void Begin(std::string_view name, Type type, std::string_view help);
  void Sample(const Labels& labels, double value) { Sample("", labels, value); }
  // Of a histogram of latencies.
  void Spread(const Labels& labels, const Measure& milliseconds);

  [[nodiscard]] std::string Take() { return std::move(text_); }

 private:
  void Sample(std::string_view suffix, const Labels& labels, double value);

  std::string text_;
  std::string family_;
};

// How a metric is called for Prometheus.
struct ExpositionName {
  std::string_view name;
  Exposition::Type type;
  std::string_view help;
};
[[nodiscard]] ExpositionName ExpositionNameOf(Metric metric);

// All that has been counted.
void Expose(Exposition& out, const Counts& totals);

}  // namespace taula::metrics
