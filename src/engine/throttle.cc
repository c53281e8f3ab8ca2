#include "engine/throttle.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "codec/key_codec.h"
#include "engine/index_entries.h"
#include "engine/table_arn.h"

namespace taula::engine {
namespace {

using metrics::Access;

constexpr double kBurstSeconds = 300;
constexpr double kPartitionReadsMax = 3000;
constexpr double kPartitionWritesMax = 1000;
// The quota of an account for one table.
constexpr double kTableUnitsMax = 40'000;
// As many partitions are remembered before those that are at rest are let go,
// which is looked into once a second at most.
constexpr std::size_t kPartitionsMax = 100'000;

std::optional<std::uint32_t> PartitionOf(std::string_view key) {
  if (key.size() < codec::kPartitionPrefixBytes || key[0] != codec::kDataKind) return std::nullopt;
  return base::ReadBigEndianU32(key.data() + codec::kSpacePrefixBytes);
}

codec::SpaceId SpaceOf(const catalog::Table& table, const catalog::Index* index) {
  return index != nullptr ? index->space : table.space;
}

// A local index lives on the capacity of its table.
const catalog::Index* GlobalOnly(const catalog::Index* index) {
  return index != nullptr && index->global ? index : nullptr;
}

std::string_view LimitName(std::size_t kind) {
  constexpr std::string_view kNames[] = {"ProvisionedThroughputExceeded", "MaxOnDemandThroughputExceeded",
                                         "AccountLimitExceeded", "KeyRangeThroughputExceeded"};
  return kNames[kind];
}

constexpr std::string_view kOfTable =
    "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning "
    "level with the UpdateTable API.";
constexpr std::string_view kOfIndex =
    "The level of configured provisioned throughput for one or more global secondary indexes of the table was "
    "exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with the "
    "UpdateTable API.";
constexpr std::string_view kOnDemand =
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or "
    "index so please try again shortly. If exceptions persist, check if you have a hot key: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
constexpr std::string_view kMaxOnDemand =
    "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
constexpr std::string_view kOfAccount =
    "Throughput exceeds the current throughput limit for your account. Please contact AWS Support at "
    "https://aws.amazon.com/support request a limit increase";

}  // namespace

Throttle::Limit Throttle::LimitOf(const Place& place) {
  const bool reads = place.access == Access::kRead;
  if (place.partition) return {LimitKind::kKeyRange, reads ? kPartitionReadsMax : kPartitionWritesMax, 1};
  const auto of = [&](const auto& owner) -> Limit {
    if (place.table->billing_mode == BillingMode::kProvisioned) {
      const auto& provisioned = owner.provisioned_throughput;
      return {LimitKind::kProvisioned, static_cast<double>(reads ? provisioned.read_units : provisioned.write_units),
              kBurstSeconds};
    }
    std::optional<std::int64_t> most;
    if (const auto& limits = owner.on_demand_throughput)
      most = reads ? limits->max_read_units : limits->max_write_units;
    if (most && *most > 0) return {LimitKind::kMaxOnDemand, static_cast<double>(*most), 1};
    return {LimitKind::kAccount, kTableUnitsMax, 1};
  };
  return place.index != nullptr ? of(*place.index) : of(*place.table);
}

Throttle::Bucket& Throttle::Filled(const Place& place) {
  const auto access = static_cast<std::size_t>(place.access);
  Buckets& buckets = place.partition ? partitions_[access] : tables_[access];
  const std::int64_t now_ms = clock_.NowMs();
  if (place.partition && buckets.size() >= kPartitionsMax && now_ms - looked_over_ms_[access] > 1000) {
    std::erase_if(buckets, [&](const auto& bucket) { return now_ms - bucket.second.filled_ms > 1000; });
    looked_over_ms_[access] = now_ms;
  }
  const Limit limit = LimitOf(place);
  const std::uint64_t id = std::uint64_t{SpaceOf(*place.table, place.index)} << 32 | place.partition.value_or(0);
  const auto [found, is_new] = buckets.try_emplace(id);
  Bucket& bucket = found->second;
  if (is_new) {
    // Nothing was used since the table is there, as far as anybody knows.
    const double age_s = static_cast<double>(now_ms - place.table->created_ms) / 1000;
    bucket = {limit.units_a_second * std::clamp(age_s, 1.0, limit.seconds), now_ms};
  }
  const double passed_s = static_cast<double>(std::max<std::int64_t>(0, now_ms - bucket.filled_ms)) / 1000;
  bucket.units = std::min(limit.units_a_second * limit.seconds, bucket.units + limit.units_a_second * passed_s);
  bucket.filled_ms = now_ms;
  return bucket;
}

void Throttle::Take(const Place& place, double units) {
  if (units != 0) Filled(place).units -= units;
}

std::optional<Error> Throttle::Refuse(const std::vector<Place>& places) {
  std::vector<Place> empty;
  for (const Place& place : places) {
    if (Filled(place).units <= 0) empty.push_back(place);
  }
  if (empty.empty()) return std::nullopt;
  for (const Place& place : empty) traffic_.CountThrottled(*place.table, place.index, place.access);
  return RefusalAt(empty);
}

Error Throttle::RefusalAt(const std::vector<Place>& empty) const {
  std::vector<ThrottlingReason> reasons;
  for (const Place& place : empty) {
    std::string arn = TableArn(region_, account_, place.table->name);
    if (place.index != nullptr) arn = IndexArn(arn, place.index->name);
    reasons.push_back({fmt::format("{}{}{}", place.index != nullptr ? "Index" : "Table",
                                   place.access == Access::kRead ? "Read" : "Write",
                                   LimitName(static_cast<std::size_t>(LimitOf(place).kind))),
                       std::move(arn)});
  }
  const Place& first = empty.front();
  const auto error = [&](ErrorCode code, std::string_view message) {
    return Error{code, std::string(message), std::nullopt, {}, std::move(reasons)};
  };
  if (first.table->billing_mode == BillingMode::kProvisioned) {
    return error(ErrorCode::kProvisionedThroughputExceededException, first.index != nullptr ? kOfIndex : kOfTable);
  }
  switch (LimitOf(first).kind) {
    case LimitKind::kAccount:
      return error(ErrorCode::kRequestLimitExceeded, kOfAccount);
    case LimitKind::kMaxOnDemand:
      return error(ErrorCode::kThrottlingException, kMaxOnDemand);
    default:
      return error(ErrorCode::kThrottlingException, kOnDemand);
  }
}

std::optional<Error> Throttle::RefuseRead(const catalog::Table& table, const catalog::Index* index,
                                          std::string_view key) {
  const std::lock_guard lock(mutex_);
  std::vector<Place> places = {{.table = &table, .index = GlobalOnly(index), .access = Access::kRead}};
  if (const auto partition = PartitionOf(key)) {
    places.push_back(places.front());
    places.back().partition = partition;
  }
  return Refuse(places);
}

void Throttle::ChargeRead(const catalog::Table& table, const catalog::Index* index, std::string_view key,
                          const ConsumedCapacity& capacity) {
  const std::lock_guard lock(mutex_);
  Place place{.table = &table, .index = GlobalOnly(index), .access = Access::kRead};
  const double units = capacity.total().read_units;
  Take(place, units);
  place.partition = PartitionOf(key);
  if (place.partition) Take(place, units);
}

std::optional<Error> Throttle::TakeWrite(const catalog::Table& table, std::string_view key,
                                         const ConsumedCapacity& capacity, const storage::Batch& batch) {
  struct Charge {
    Place place;
    double units;
  };
  std::vector<Charge> charges;
  const auto add = [&](const catalog::Index* index, std::optional<std::uint32_t> partition, double units) {
    charges.push_back({{.table = &table, .index = index, .access = Access::kWrite, .partition = partition}, units});
  };
  double own = capacity.table.write_units;
  for (const auto& [name, units] : capacity.local_indexes) own += units.write_units;
  add(nullptr, std::nullopt, own);
  add(nullptr, PartitionOf(key), own);
  for (const auto& [name, units] : capacity.global_indexes) {
    const catalog::Index* const index = table.FindIndex(name);
    if (index == nullptr) continue;
    add(index, std::nullopt, units.write_units);
    // An entry that moves leaves one partition for another, each at its share.
    const std::vector<std::string_view> entries = KeysWritten(index->space, batch);
    for (const std::string_view entry : entries) {
      add(index, PartitionOf(entry), units.write_units / static_cast<double>(entries.size()));
    }
  }
  std::vector<Place> places;
  for (const Charge& charge : charges) places.push_back(charge.place);

  const std::lock_guard lock(mutex_);
  if (std::optional<Error> refused = Refuse(places)) return refused;
  for (const Charge& charge : charges) Take(charge.place, charge.units);
  return std::nullopt;
}

}  // namespace taula::engine
