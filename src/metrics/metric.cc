#include "metrics/metric.h"

#include <array>
#include <utility>

namespace taula::metrics {
namespace {

constexpr auto kNames = std::to_array<std::pair<Metric, std::string_view>>({
    {Metric::kConditionalCheckFailedRequests, "ConditionalCheckFailedRequests"},
    {Metric::kConsumedReadCapacityUnits, "ConsumedReadCapacityUnits"},
    {Metric::kConsumedWriteCapacityUnits, "ConsumedWriteCapacityUnits"},
    {Metric::kProvisionedReadCapacityUnits, "ProvisionedReadCapacityUnits"},
    {Metric::kProvisionedWriteCapacityUnits, "ProvisionedWriteCapacityUnits"},
    {Metric::kReadThrottleEvents, "ReadThrottleEvents"},
    {Metric::kReturnedBytes, "ReturnedBytes"},
    {Metric::kReturnedItemCount, "ReturnedItemCount"},
    {Metric::kReturnedRecordsCount, "ReturnedRecordsCount"},
    {Metric::kSuccessfulRequestLatency, "SuccessfulRequestLatency"},
    {Metric::kSystemErrors, "SystemErrors"},
    {Metric::kThrottledRequests, "ThrottledRequests"},
    {Metric::kTimeToLiveDeletedItemCount, "TimeToLiveDeletedItemCount"},
    {Metric::kTransactionConflict, "TransactionConflict"},
    {Metric::kUserErrors, "UserErrors"},
    {Metric::kWriteThrottleEvents, "WriteThrottleEvents"},
});

}  // namespace

std::string_view NameOf(Metric metric) {
  for (const auto& [each, name] : kNames) {
    if (each == metric) return name;
  }
  return "";
}

std::optional<Metric> MetricNamed(std::string_view name) {
  for (const auto& [metric, each] : kNames) {
    if (each == name) return metric;
  }
  return std::nullopt;
}

Unit UnitOf(Metric metric) {
  switch (metric) {
    case Metric::kSuccessfulRequestLatency:
      return Unit::kMilliseconds;
    case Metric::kReturnedBytes:
      return Unit::kBytes;
    default:
      return Unit::kCount;
  }
}

std::string_view NameOf(Unit unit) {
  switch (unit) {
    case Unit::kMilliseconds:
      return "Milliseconds";
    case Unit::kBytes:
      return "Bytes";
    case Unit::kCount:
      break;
  }
  return "Count";
}

}  // namespace taula::metrics
