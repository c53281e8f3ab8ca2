#include "metrics/metric_log.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/log.h"
#include "codec/key_codec.h"

namespace taula::metrics {
namespace {

constexpr std::string_view kSeriesPrefix = "Ms";
constexpr std::string_view kMinutePrefix = "Mm";
constexpr char kFormat = 1;

void AppendSeries(std::string& out, const Series& series) {
  for (const std::string_view part :
       {NameOf(series.metric), std::string_view(series.table), std::string_view(series.index),
        std::string_view(series.operation), std::string_view(series.stream_label)}) {
    out.append(part);
    out.push_back('\0');
  }
}

std::string SeriesKey(const Series& series) {
  std::string key(kSeriesPrefix);
  AppendSeries(key, series);
  return key;
}

std::string MinuteKey(const Series& series, std::int64_t minute_ms) {
  std::string key(kMinutePrefix);
  AppendSeries(key, series);
  base::AppendBigEndianU32(key, static_cast<std::uint32_t>(minute_ms / MetricLog::kMinuteMs));
  return key;
}

std::int64_t MinuteOf(std::string_view minute_key) {
  return std::int64_t{base::ReadBigEndianU32(minute_key.data() + minute_key.size() - 4)} * MetricLog::kMinuteMs;
}

// Nothing for a metric that this version does not know.
std::optional<Series> DecodeSeries(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = text.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  if (parts.size() != 5) return std::nullopt;
  const std::optional<Metric> metric = MetricNamed(parts[0]);
  if (!metric) return std::nullopt;
  return Series{*metric, std::move(parts[1]), std::move(parts[2]), std::move(parts[3]), std::move(parts[4])};
}

std::string Encode(const Measure& measure) {
  std::string out(1, kFormat);
  base::AppendU64(out, measure.count);
  for (const double value : {measure.sum, measure.min, measure.max}) {
    base::AppendU64(out, std::bit_cast<std::uint64_t>(value));
  }
  for (const auto& [bucket, number] : measure.buckets) {
    out.push_back(static_cast<char>(bucket & 0xff));
    out.push_back(static_cast<char>(bucket >> 8));
    base::AppendU64(out, number);
  }
  return out;
}

std::optional<Measure> Decode(std::string_view value) {
  constexpr std::size_t kHeadBytes = 1 + 4 * 8;
  constexpr std::size_t kBucketBytes = 2 + 8;
  if (value.size() < kHeadBytes || value[0] != kFormat || (value.size() - kHeadBytes) % kBucketBytes != 0) {
    return std::nullopt;
  }
  const char* at = value.data() + 1;
  Measure measure;
  measure.count = base::ReadU64(at);
  measure.sum = std::bit_cast<double>(base::ReadU64(at + 8));
  measure.min = std::bit_cast<double>(base::ReadU64(at + 16));
  measure.max = std::bit_cast<double>(base::ReadU64(at + 24));
  for (at = value.data() + kHeadBytes; at != value.data() + value.size(); at += kBucketBytes) {
    const auto bucket =
        static_cast<std::uint16_t>(static_cast<std::uint8_t>(at[0]) | static_cast<std::uint8_t>(at[1]) << 8);
    measure.buckets[bucket] = base::ReadU64(at + 2);
  }
  return measure;
}

std::int64_t MinuteAt(std::int64_t now_ms) { return now_ms - now_ms % MetricLog::kMinuteMs; }

bool IsState(Metric metric) {
  return metric == Metric::kProvisionedReadCapacityUnits || metric == Metric::kProvisionedWriteCapacityUnits;
}

bool Persist(storage::Store& store, base::FunctionRef<void(storage::Batch&)> write) {
  return storage::MutateAndWait(store, {},
                                [&](std::span<const std::optional<std::string_view>>, storage::Batch& batch) {
                                  write(batch);
                                  return true;
                                }) == storage::Commit::kOk;
}

}  // namespace

Result<void> MetricLog::Load() {
  const std::lock_guard lock(mutex_);
  minute_ms_ = MinuteAt(clock_.NowMs());
  const storage::Range all{std::string(kSeriesPrefix), codec::PrefixEnd(kSeriesPrefix)};
  storage::Status status = store_.Scan(all, {}, [&](std::string_view key, std::string_view value) {
    std::optional<Series> series = DecodeSeries(key.substr(kSeriesPrefix.size()));
    if (series && value.size() == 4)
      series_[*std::move(series)] = std::int64_t{base::ReadU32(value.data())} * kMinuteMs;
    return true;
  });
  // The minute that runs may have begun before a restart.
  if (status == storage::Status::kOk) status = TakeUpMinuteLocked();
  if (status == storage::Status::kOk) return {};
  return Fail(ErrorCode::kInternalServerError, "The metrics cannot be read from the store");
}

storage::Status MetricLog::TakeUpMinuteLocked() {
  storage::Status status = storage::Status::kOk;
  for (const auto& [series, last_ms] : series_) {
    if (status != storage::Status::kOk || last_ms < minute_ms_) continue;
    status = store_.Get(MinuteKey(series, minute_ms_), [&](std::string_view value) {
      if (std::optional<Measure> measure = Decode(value)) minute_[series] = *std::move(measure);
    });
  }
  return status;
}

void MetricLog::Collect() {
  const std::lock_guard lock(mutex_);
  CollectLocked();
}

void MetricLog::CollectLocked() {
  const std::int64_t now = MinuteAt(clock_.NowMs());
  for (auto& [series, measure] : traffic_.Take()) {
    totals_[series].Merge(measure);
    minute_[series].Merge(measure);
    unsaved_.insert(series);
  }
  if (now == minute_ms_) return;
  SaveLocked();
  unsaved_.clear();
  minute_.clear();
  const bool went_back = now < minute_ms_;
  minute_ms_ = now;
  if (went_back && TakeUpMinuteLocked() != storage::Status::kOk) {
    base::Log(base::LogLevel::kWarning, "Metrics of a minute that the clock went back to could not be read");
  }
}

void MetricLog::Save() {
  const std::lock_guard lock(mutex_);
  CollectLocked();
  SaveLocked();
}

void MetricLog::SaveLocked() {
  if (unsaved_.empty()) return;
  std::string minute;
  base::AppendU32(minute, static_cast<std::uint32_t>(minute_ms_ / kMinuteMs));
  const bool saved = Persist(store_, [&](storage::Batch& batch) {
    for (const Series& series : unsaved_) {
      batch.Put(MinuteKey(series, minute_ms_), Encode(minute_[series]));
      const auto known = series_.find(series);
      if (known == series_.end() || known->second < minute_ms_) batch.Put(SeriesKey(series), minute);
    }
  });
  if (!saved) {
    base::Log(base::LogLevel::kWarning, "Metrics of a minute could not be written");
    return;
  }
  for (const Series& series : unsaved_) {
    std::int64_t& last_ms = series_[series];
    last_ms = std::max(last_ms, minute_ms_);
  }
  unsaved_.clear();
}

bool MetricLog::EraseBefore(const Series& series, std::int64_t first_kept_ms) {
  constexpr std::size_t kErasedTogether = 1000;
  const storage::Range old{MinuteKey(series, 0), MinuteKey(series, first_kept_ms)};
  while (true) {
    std::vector<std::string> keys;
    const storage::Status status = store_.Scan(old, {}, [&](std::string_view key, std::string_view) {
      keys.emplace_back(key);
      return keys.size() < kErasedTogether;
    });
    if (status != storage::Status::kOk) return false;
    if (keys.empty()) return true;
    const bool erased = Persist(store_, [&](storage::Batch& batch) {
      for (const std::string& key : keys) batch.Delete(key);
    });
    if (!erased) return false;
  }
}

void MetricLog::Trim() {
  const std::int64_t first_kept_ms = MinuteAt(clock_.NowMs() - kKeptMs);
  std::vector<Series> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [series, last_ms] : series_) all.push_back(series);
  }
  // Nobody reads or writes minutes that old, so nobody needs to wait meanwhile.
  for (const Series& series : all) {
    if (!EraseBefore(series, first_kept_ms)) return;
  }
  const std::lock_guard lock(mutex_);
  const auto is_over = [&](const auto& entry) { return entry.second < first_kept_ms; };
  if (std::ranges::none_of(series_, is_over)) return;
  const bool erased = Persist(store_, [&](storage::Batch& batch) {
    for (const auto& entry : series_) {
      if (is_over(entry)) batch.Delete(SeriesKey(entry.first));
    }
  });
  if (!erased) return;
  for (const auto& entry : series_) {
    if (is_over(entry)) totals_.erase(entry.first);
  }
  std::erase_if(series_, is_over);
}

void MetricLog::Gauges(const std::map<Series, double>& values) {
  const std::lock_guard lock(mutex_);
  CollectLocked();
  std::erase_if(totals_, [](const auto& total) { return IsState(total.first.metric); });
  for (const auto& [series, value] : values) {
    Measure measure;
    measure.Add(value);
    totals_[series] = measure;
    minute_[series] = measure;
    unsaved_.insert(series);
  }
}

std::vector<MinuteMeasure> MetricLog::Read(const Series& series, std::int64_t from_ms, std::int64_t to_ms) {
  std::int64_t running_ms = 0;
  std::optional<Measure> running;
  {
    const std::lock_guard lock(mutex_);
    CollectLocked();
    running_ms = minute_ms_;
    if (const auto found = minute_.find(series); found != minute_.end()) running = found->second;
  }
  std::vector<MinuteMeasure> minutes;
  const std::int64_t first_ms = std::max<std::int64_t>(0, MinuteAt(from_ms + kMinuteMs - 1));
  // Minutes before the one that runs are in the store, and change no more, so
  // nobody needs to wait while they are read.
  const std::int64_t end_ms = std::min(to_ms, running_ms);
  if (first_ms < end_ms) {
    const storage::Range range{MinuteKey(series, first_ms), MinuteKey(series, MinuteAt(end_ms + kMinuteMs - 1))};
    const storage::Status status = store_.Scan(range, {}, [&](std::string_view key, std::string_view value) {
      if (std::optional<Measure> measure = Decode(value)) minutes.push_back({MinuteOf(key), *std::move(measure)});
      return true;
    });
    if (status != storage::Status::kOk) base::Log(base::LogLevel::kWarning, "Metrics could not be read");
  }
  if (running && running_ms >= first_ms && running_ms < to_ms) minutes.push_back({running_ms, *std::move(running)});
  return minutes;
}

std::vector<Series> MetricLog::ListSeries(std::int64_t since_ms) {
  const std::lock_guard lock(mutex_);
  CollectLocked();
  std::set<Series> listed;
  for (const auto& [series, last_ms] : series_) {
    if (last_ms + kMinuteMs > since_ms) listed.insert(series);
  }
  if (minute_ms_ + kMinuteMs > since_ms) {
    for (const auto& [series, measure] : minute_) listed.insert(series);
  }
  return {listed.begin(), listed.end()};
}

Counts MetricLog::Totals() {
  const std::lock_guard lock(mutex_);
  CollectLocked();
  return totals_;
}

}  // namespace taula::metrics
