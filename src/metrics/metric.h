// What is measured, by the names that CloudWatch gives it.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace taula::metrics {

// Persisted by their names: see NameOf.
enum class Metric : std::uint8_t {
  kConditionalCheckFailedRequests,
  kConsumedReadCapacityUnits,
  kConsumedWriteCapacityUnits,
  kProvisionedReadCapacityUnits,
  kProvisionedWriteCapacityUnits,
  kReadThrottleEvents,
  kReturnedBytes,
  kReturnedItemCount,
  kReturnedRecordsCount,
  kSuccessfulRequestLatency,
  kSystemErrors,
  kThrottledRequests,
  kTimeToLiveDeletedItemCount,
  kTransactionConflict,
  kUserErrors,
  kWriteThrottleEvents,
};

enum class Unit : std::uint8_t { kCount, kMilliseconds, kBytes };

[[nodiscard]] std::string_view NameOf(Metric metric);
[[nodiscard]] std::optional<Metric> MetricNamed(std::string_view name);
[[nodiscard]] Unit UnitOf(Metric metric);
[[nodiscard]] std::string_view NameOf(Unit unit);

// One metric of one thing: CloudWatch's dimensions are those that are not
// empty.
struct Series {
  Metric metric = Metric::kUserErrors;
  std::string table = {};         // TableName
  std::string index = {};         // GlobalSecondaryIndexName
  std::string operation = {};     // Operation
  std::string stream_label = {};  // StreamLabel
  friend auto operator<=>(const Series&, const Series&) = default;
};

}  // namespace taula::metrics
