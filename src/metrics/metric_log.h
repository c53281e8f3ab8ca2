// What has been counted, by the minute, for two weeks, kept in the store.
// Persisted (docs/formats.md): do not change.
//
//   series     := its metric, table, index, operation and stream label, each
//                 closed by 00
//   series key := 'Ms' series, with the last minute that anything was counted in (u32)
//   minute key := 'Mm' series minute:u32be
//   value      := format:u8 count:u64 sum:f64 min:f64 max:f64 (bucket:u16 number:u64)*
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "base/clock.h"
#include "metrics/measure.h"
#include "metrics/metric.h"
#include "metrics/traffic.h"
#include "storage/store.h"
#include "taula/error.h"

namespace taula::metrics {

struct MinuteMeasure {
  std::int64_t minute_ms = 0;  // when the minute began
  Measure measure;
};

// Used by any thread.
class MetricLog {
 public:
  static constexpr std::int64_t kMinuteMs = 60'000;
  static constexpr std::int64_t kKeptMs = 14LL * 24 * 60 * kMinuteMs;

  // Both must outlive it. Load comes first.
  MetricLog(storage::Store& store, const base::Clock& clock) : store_(store), clock_(clock) {}
  [[nodiscard]] Result<void> Load();

  // Where to count what shall get here.
  [[nodiscard]] Traffic& traffic() { return traffic_; }

  // Adds what was counted since to the minute that runs, and saves minutes that
  // have ended. To be called every second or so.
  void Collect();
  // Saves also the minute that runs, as far as it has come: what a crash takes is
  // what came after the last call.
  void Save();
  // Erases what is older than two weeks.
  void Trim();

  // The values that are no events but states, such as the capacity that tables are
  // provisioned with: all that there are now. To be told at least once a minute.
  void Gauges(const std::map<Series, double>& values);

  // The minutes of a series in [from_ms, to_ms) in which anything was counted,
  // oldest first, up to this moment.
  [[nodiscard]] std::vector<MinuteMeasure> Read(const Series& series, std::int64_t from_ms, std::int64_t to_ms);
  // Every series with a minute since then, in order.
  [[nodiscard]] std::vector<Series> ListSeries(std::int64_t since_ms);
  // Sums since the database was opened, and the states as they were last told.
  [[nodiscard]] Counts Totals();

 private:
  void CollectLocked();
  void SaveLocked();
  // Reads what the store has of the minute that runs.
  [[nodiscard]] storage::Status TakeUpMinuteLocked();
  [[nodiscard]] bool EraseBefore(const Series& series, std::int64_t first_kept_ms);

  storage::Store& store_;
  const base::Clock& clock_;
  Traffic traffic_;
  std::mutex mutex_;  // for all that follows
  std::int64_t minute_ms_ = 0;
  Counts minute_;                          // that runs
  std::set<Series> unsaved_;               // what changed in it since it was saved
  std::map<Series, std::int64_t> series_;  // each with its last minute
  Counts totals_;
};

}  // namespace taula::metrics
