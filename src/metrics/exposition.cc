#include "metrics/exposition.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace taula::metrics {
namespace {

using Type = Exposition::Type;

constexpr double kMillisecondsPerSecond = 1000;
constexpr double kMicrosecondsPerSecond = 1e6;

std::string_view NameOfType(Type type) {
  switch (type) {
    case Type::kCounter:
      return "counter";
    case Type::kGauge:
      return "gauge";
    case Type::kHistogram:
      break;
  }
  return "histogram";
}

void AppendEscaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '\n') {
      out.append("\\n");
    } else {
      if (c == '"' || c == '\\') out.push_back('\\');
      out.push_back(c);
    }
  }
}

std::string NumberText(double value) { return std::isinf(value) ? "+Inf" : fmt::format("{}", value); }

}  // namespace

void Exposition::Begin(std::string_view name, Type type, std::string_view help) {
  family_ = name;
  fmt::format_to(std::back_inserter(text_), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, NameOfType(type));
}

void Exposition::Sample(std::string_view suffix, const Labels& labels, double value) {
  text_.append(family_).append(suffix);
  char before = '{';
  for (const auto& [name, text] : labels) {
    if (text.empty()) continue;
    text_.push_back(std::exchange(before, ','));
    text_.append(name).append("=\"");
    AppendEscaped(text_, text);
    text_.push_back('"');
  }
  if (before == ',') text_.push_back('}');
  fmt::format_to(std::back_inserter(text_), " {}\n", NumberText(value));
}

// The bounds are powers of two, which are bounds of the buckets as well, from 16
// microseconds to 17 seconds.
void Exposition::Spread(const Labels& labels, const Measure& milliseconds) {
  constexpr int kFirst = 4;
  constexpr int kLast = 24;
  Labels with_bound = labels;
  with_bound.emplace_back("le", "");
  std::uint64_t below = 0;
  auto bucket = milliseconds.buckets.begin();
  for (int doublings = kFirst; doublings <= kLast; ++doublings) {
    const double bound = std::ldexp(1, doublings);
    while (bucket != milliseconds.buckets.end() && BucketMicroseconds(bucket->first) < bound) {
      below += bucket->second;
      ++bucket;
    }
    const std::string text = NumberText(bound / kMicrosecondsPerSecond);
    with_bound.back().second = text;
    Sample("_bucket", with_bound, static_cast<double>(below));
  }
  with_bound.back().second = "+Inf";
  Sample("_bucket", with_bound, static_cast<double>(milliseconds.count));
  Sample("_sum", labels, milliseconds.sum / kMillisecondsPerSecond);
  Sample("_count", labels, static_cast<double>(milliseconds.count));
}

ExpositionName ExpositionNameOf(Metric metric) {
  switch (metric) {
    case Metric::kConditionalCheckFailedRequests:
      return {"taula_conditional_checks_failed_total", Type::kCounter, "Conditions of writes that did not hold."};
    case Metric::kConsumedReadCapacityUnits:
      return {"taula_consumed_read_capacity_units_total", Type::kCounter, "Read capacity units that requests took."};
    case Metric::kConsumedWriteCapacityUnits:
      return {"taula_consumed_write_capacity_units_total", Type::kCounter, "Write capacity units that requests took."};
    case Metric::kProvisionedReadCapacityUnits:
      return {"taula_provisioned_read_capacity_units", Type::kGauge, "Read capacity units a second, as provisioned."};
    case Metric::kProvisionedWriteCapacityUnits:
      return {"taula_provisioned_write_capacity_units", Type::kGauge, "Write capacity units a second, as provisioned."};
    case Metric::kReadThrottleEvents:
      return {"taula_read_throttle_events_total", Type::kCounter, "Items not read for want of capacity."};
    case Metric::kReturnedBytes:
      return {"taula_returned_bytes_total", Type::kCounter, "Bytes of stream records that were read."};
    case Metric::kReturnedItemCount:
      return {"taula_returned_items_total", Type::kCounter, "Items that queries and scans returned."};
    case Metric::kReturnedRecordsCount:
      return {"taula_returned_records_total", Type::kCounter, "Stream records that were read."};
    case Metric::kSuccessfulRequestLatency:
      return {"taula_request_duration_seconds", Type::kHistogram, "How long requests that succeeded took."};
    case Metric::kSystemErrors:
      return {"taula_system_errors_total", Type::kCounter, "Requests that the server failed to answer."};
    case Metric::kThrottledRequests:
      return {"taula_requests_throttled_total", Type::kCounter, "Requests refused for want of capacity."};
    case Metric::kTimeToLiveDeletedItemCount:
      return {"taula_expired_items_total", Type::kCounter, "Items removed when their time had come."};
    case Metric::kTransactionConflict:
      return {"taula_transaction_conflicts_total", Type::kCounter, "Items that a transaction held when another came."};
    case Metric::kUserErrors:
      return {"taula_user_errors_total", Type::kCounter, "Requests that were wrong."};
    case Metric::kWriteThrottleEvents:
      return {"taula_write_throttle_events_total", Type::kCounter, "Items not written for want of capacity."};
  }
  return {};
}

void Expose(Exposition& out, const Counts& totals) {
  std::optional<Metric> family;
  for (const auto& [series, measure] : totals) {
    const ExpositionName name = ExpositionNameOf(series.metric);
    if (family != series.metric) out.Begin(name.name, name.type, name.help);
    family = series.metric;
    const Exposition::Labels labels = {{"table", series.table},
                                       {"index", series.index},
                                       {"operation", series.operation},
                                       {"stream", series.stream_label}};
    if (name.type == Type::kHistogram) {
      out.Spread(labels, measure);
    } else {
      out.Sample(labels, measure.sum);
    }
  }
}

}  // namespace taula::metrics
