#include "metrics/traffic.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace taula::metrics {
namespace {

constexpr double kNanosecondsPerMillisecond = 1e6;

// A number of events as CloudWatch has them: as many values of one.
Measure Events(std::uint64_t number) {
  return {.count = number, .sum = static_cast<double>(number), .min = 1, .max = 1};
}

void Merge(Counts& counts, Series series, const Measure& measure) {
  if (measure.count != 0) counts[std::move(series)].Merge(measure);
}

}  // namespace

Traffic::PlaceCounts& Traffic::TableCounts::Index(std::string_view index_name) {
  const auto found = std::ranges::find(indexes, index_name, &PlaceCounts::index);
  if (found != indexes.end()) return *found;
  indexes.emplace_back().index = index_name;
  return indexes.back();
}

Traffic::OperationCounts& Traffic::TableCounts::Operation(std::string_view operation) {
  // Names that live for ever are told apart by where they are.
  for (OperationCounts& each : operations) {
    if (each.operation.data() == operation.data()) return each;
  }
  operations.emplace_back().operation = operation;
  return operations.back();
}

Traffic::TableCounts& Traffic::Lane::Of(const catalog::Table& table) {
  const auto [found, is_new] = tables.try_emplace(table.space);
  if (is_new) found->second.name = table.name;
  return found->second;
}

Traffic::Lane& Traffic::OwnLane() {
  static std::atomic<std::size_t> threads = 0;
  static thread_local const std::size_t own = threads.fetch_add(1, std::memory_order_relaxed) % kLanes;
  return lanes_[own];
}

void Traffic::CountRead(const catalog::Table& table, double units) {
  Lane& lane = OwnLane();
  const std::lock_guard lock(lane.mutex);
  lane.Of(table).table.read.Add(units);
}

void Traffic::Count(const catalog::Table& table, const ConsumedCapacity& capacity) {
  const auto add = [](PlaceCounts& place, const Capacity& units) {
    if (units.read_units != 0) place.read.Add(units.read_units);
    if (units.write_units != 0) place.written.Add(units.write_units);
  };
  Lane& lane = OwnLane();
  const std::lock_guard lock(lane.mutex);
  TableCounts& counts = lane.Of(table);
  // Local indexes use the capacity of their table.
  Capacity own = capacity.table;
  for (const auto& [name, units] : capacity.local_indexes) own += units;
  add(counts.table, own);
  for (const auto& [name, units] : capacity.global_indexes) add(counts.Index(name), units);
}

void Traffic::Count(const catalog::Table& table, const Request& request) {
  Lane& lane = OwnLane();
  const std::lock_guard lock(lane.mutex);
  TableCounts& counts = lane.Of(table);
  OperationCounts& operation = counts.Operation(request.operation);
  switch (request.ending) {
    case Ending::kOk:
      operation.latency.Add(static_cast<double>(request.nanoseconds) / kNanosecondsPerMillisecond);
      ++operation.buckets[BucketOf(request.nanoseconds / 1000)];
      if (request.returned) operation.returned.Add(static_cast<double>(*request.returned));
      break;
    case Ending::kThrottled:
      ++operation.throttled;
      break;
    case Ending::kSystemError:
      ++operation.system_errors;
      break;
    case Ending::kConditionFailed:
      ++counts.conditions_failed;
      break;
    case Ending::kConflict:
    case Ending::kUserError:
      lane.others[{.metric = Metric::kUserErrors}].Add(1);
  }
}

void Traffic::CountUserError() {
  Lane& lane = OwnLane();
  const std::lock_guard lock(lane.mutex);
  lane.others[{.metric = Metric::kUserErrors}].Add(1);
}

void Traffic::CountConditionFailed(const catalog::Table& table) {
  Lane& lane = OwnLane();
  const std::lock_guard lock(lane.mutex);
  ++lane.Of(table).conditions_failed;
}

void Traffic::CountConflict(const catalog::Table& table) {
  Lane& lane = OwnLane();
  const std::lock_guard lock(lane.mutex);
  ++lane.Of(table).conflicts;
}

void Traffic::CountThrottled(const catalog::Table& table, const catalog::Index* index, Access access) {
  Lane& lane = OwnLane();
  const std::lock_guard lock(lane.mutex);
  TableCounts& counts = lane.Of(table);
  PlaceCounts& place = index != nullptr && index->global ? counts.Index(index->name) : counts.table;
  ++(access == Access::kRead ? place.reads_throttled : place.writes_throttled);
}

void Traffic::CountExpired(const catalog::Table& table, std::uint64_t items) {
  Lane& lane = OwnLane();
  const std::lock_guard lock(lane.mutex);
  lane.Of(table).expired += items;
}

void Traffic::CountRecords(const std::string& table, const std::string& stream_label, std::uint64_t records,
                           std::uint64_t bytes) {
  Series series{
      .metric = Metric::kReturnedRecordsCount, .table = table, .operation = "GetRecords", .stream_label = stream_label};
  Lane& lane = OwnLane();
  const std::lock_guard lock(lane.mutex);
  lane.others[series].Add(static_cast<double>(records));
  series.metric = Metric::kReturnedBytes;
  lane.others[series].Add(static_cast<double>(bytes));
}

void Traffic::AddTo(Counts& counts, const TableCounts& table) {
  const auto add_place = [&](const PlaceCounts& place) {
    const auto add = [&](Metric metric, const Measure& measure) {
      Merge(counts, {.metric = metric, .table = table.name, .index = place.index}, measure);
    };
    add(Metric::kConsumedReadCapacityUnits, place.read);
    add(Metric::kConsumedWriteCapacityUnits, place.written);
    add(Metric::kReadThrottleEvents, Events(place.reads_throttled));
    add(Metric::kWriteThrottleEvents, Events(place.writes_throttled));
  };
  add_place(table.table);
  for (const PlaceCounts& index : table.indexes) add_place(index);
  for (const OperationCounts& operation : table.operations) {
    const auto add = [&](Metric metric, const Measure& measure) {
      Merge(counts, {.metric = metric, .table = table.name, .operation = std::string(operation.operation)}, measure);
    };
    Measure latency = operation.latency;
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
      if (operation.buckets[bucket] != 0)
        latency.buckets[static_cast<std::uint16_t>(bucket)] = operation.buckets[bucket];
    }
    add(Metric::kSuccessfulRequestLatency, latency);
    add(Metric::kReturnedItemCount, operation.returned);
    add(Metric::kThrottledRequests, Events(operation.throttled));
    add(Metric::kSystemErrors, Events(operation.system_errors));
  }
  const auto add = [&](Metric metric, std::uint64_t number) {
    Merge(counts, {.metric = metric, .table = table.name}, Events(number));
  };
  add(Metric::kConditionalCheckFailedRequests, table.conditions_failed);
  add(Metric::kTransactionConflict, table.conflicts);
  add(Metric::kTimeToLiveDeletedItemCount, table.expired);
}

Counts Traffic::Take() {
  Counts counts;
  for (Lane& lane : lanes_) {
    std::unordered_map<codec::SpaceId, TableCounts> tables;
    Counts others;
    {
      const std::lock_guard lock(lane.mutex);
      tables.swap(lane.tables);
      others.swap(lane.others);
    }
    for (const auto& [space, table] : tables) AddTo(counts, table);
    for (const auto& [series, measure] : others) Merge(counts, series, measure);
  }
  return counts;
}

}  // namespace taula::metrics
