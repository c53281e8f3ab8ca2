// Counts what requests do, as they do it. Cheap: every thread counts for itself,
// and somebody adds it all up now and then (metric_log.h).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/table.h"
#include "metrics/measure.h"
#include "metrics/metric.h"
#include "taula/capacity.h"

namespace taula::metrics {

enum class Ending : std::uint8_t { kOk, kConditionFailed, kConflict, kThrottled, kUserError, kSystemError };

// A request that has been answered.
struct Request {
  std::string_view operation;  // lives for ever
  std::uint64_t nanoseconds = 0;
  Ending ending = Ending::kOk;
  std::optional<std::uint64_t> returned;  // items, by a query or scan
};

enum class Access : std::uint8_t { kRead, kWrite };

using Counts = std::map<Series, Measure>;

class Traffic {
 public:
  // What one access was charged.
  void CountRead(const catalog::Table& table, double units);
  void Count(const catalog::Table& table, const ConsumedCapacity& capacity);

  // A request on a table, or one that did not come to find any.
  void Count(const catalog::Table& table, const Request& request);
  void CountUserError();

  // Of one item of a transaction, or a write that met one.
  void CountConditionFailed(const catalog::Table& table);
  void CountConflict(const catalog::Table& table);

  // An item, or an entry of an index, that was refused for want of capacity.
  void CountThrottled(const catalog::Table& table, const catalog::Index* index, Access access);
  void CountExpired(const catalog::Table& table, std::uint64_t items);
  // What somebody read of a stream.
  void CountRecords(const std::string& table, const std::string& stream_label, std::uint64_t records,
                    std::uint64_t bytes);

  // Everything that was counted since the last call.
  [[nodiscard]] Counts Take();

 private:
  struct OperationCounts {
    std::string_view operation;
    Measure latency;
    std::array<std::uint32_t, kBuckets> buckets{};
    Measure returned;
    std::uint64_t throttled = 0;
    std::uint64_t system_errors = 0;
  };
  // Of the table itself, or of a global index.
  struct PlaceCounts {
    std::string index;
    Measure read;
    Measure written;
    std::uint64_t reads_throttled = 0;
    std::uint64_t writes_throttled = 0;
  };
  struct TableCounts {
    std::string name;
    PlaceCounts table;
    std::vector<PlaceCounts> indexes;
    std::vector<OperationCounts> operations;
    std::uint64_t conditions_failed = 0;
    std::uint64_t conflicts = 0;
    std::uint64_t expired = 0;

    PlaceCounts& Index(std::string_view index_name);
    OperationCounts& Operation(std::string_view operation);
  };
  // What a few threads count, usually one.
  struct alignas(64) Lane {
    std::mutex mutex;
    std::unordered_map<codec::SpaceId, TableCounts> tables;
    Counts others;

    TableCounts& Of(const catalog::Table& table);
  };
  static constexpr std::size_t kLanes = 32;

  Lane& OwnLane();
  static void AddTo(Counts& counts, const TableCounts& table);

  std::array<Lane, kLanes> lanes_;
};

}  // namespace taula::metrics
