// Keeps requests within the capacity of their tables, where that is asked for.
// Without it a table's throughput is a setting that nobody feels.
//
// Every table and global index has a bucket of units for reads and one for
// writes. It fills at the rate that is provisioned, up to 300 seconds' worth: so
// much of what was not used can be used later. On-demand tables fill at the
// maximum that they were given, or at the quota of a table. Besides, each value
// of a partition key has buckets of its own, for no partition serves more than
// 3,000 reads and 1,000 writes in a second, whatever is paid for.
//
// A request is let through while its buckets are not empty, and then takes what
// it costs, even if that is more than there is: what is owed is filled up first.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "catalog/table.h"
#include "metrics/traffic.h"
#include "storage/batch.h"
#include "taula/capacity.h"
#include "taula/error.h"

namespace taula::engine {

// Used by all threads.
class Throttle {
 public:
  // All must outlive it.
  Throttle(const base::Clock& clock, metrics::Traffic& traffic, std::string region, std::string account)
      : clock_(clock), traffic_(traffic), region_(std::move(region)), account_(std::move(account)) {}

  // Why a read of the table, or of one of its indexes, may not begin. `key` is
  // any key in the store of the partition that is read, empty when it is not one.
  [[nodiscard]] std::optional<Error> RefuseRead(const catalog::Table& table, const catalog::Index* index,
                                                std::string_view key);
  // What a read has cost.
  void ChargeRead(const catalog::Table& table, const catalog::Index* index, std::string_view key,
                  const ConsumedCapacity& capacity);

  // Why what costs this much may not be written. When it may, it is charged.
  // `key` is the item's in the store, `batch` what is to be written: its keys tell
  // the partitions of indexes.
  [[nodiscard]] std::optional<Error> TakeWrite(const catalog::Table& table, std::string_view key,
                                               const ConsumedCapacity& capacity, const storage::Batch& batch);

 private:
  struct Bucket {
    double units = 0;
    std::int64_t filled_ms = 0;
  };
  // Where a limit is felt: a table or a global index, or a partition of it.
  struct Place {
    const catalog::Table* table = nullptr;
    const catalog::Index* index = nullptr;  // a global one; nothing for the table
    metrics::Access access = metrics::Access::kRead;
    std::optional<std::uint32_t> partition = std::nullopt;
  };
  enum class LimitKind : std::uint8_t { kProvisioned, kMaxOnDemand, kAccount, kKeyRange };
  struct Limit {
    LimitKind kind = LimitKind::kProvisioned;
    double units_a_second = 0;
    double seconds = 1;  // that the bucket holds
  };
  using Buckets = std::unordered_map<std::uint64_t, Bucket>;

  [[nodiscard]] static Limit LimitOf(const Place& place);
  Bucket& Filled(const Place& place);
  void Take(const Place& place, double units);
  [[nodiscard]] std::optional<Error> Refuse(const std::vector<Place>& places);
  [[nodiscard]] Error RefusalAt(const std::vector<Place>& empty) const;

  const base::Clock& clock_;
  metrics::Traffic& traffic_;
  const std::string region_;
  const std::string account_;
  std::mutex mutex_;       // for what follows
  Buckets tables_[2];      // by access, and space
  Buckets partitions_[2];  // by access, and space and hash
  std::int64_t looked_over_ms_[2] = {};
};

}  // namespace taula::engine
