#include "engine/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "base/base64.h"
#include "base/bytes.h"
#include "base/log.h"
#include "engine/table_arn.h"

namespace taula::engine {
namespace {

constexpr std::size_t kReadBytesMax = std::size_t{1} << 20;
// Records that are due are removed this often, many at a time.
constexpr std::int64_t kTrimEveryMs = 10LL * 60 * 1000;

// Digits that make all sequence numbers equally long, so that they sort as texts
// too, and as long as Amazon asks for.
constexpr std::string_view kSequenceLead = "1";
constexpr std::size_t kSequenceDigits = 20;

constexpr std::string_view kIteratorVersion = "|1|";

std::unexpected<Error> StreamNotFound(std::string_view arn) {
  return Fail(ErrorCode::kResourceNotFoundException,
              fmt::format("Requested resource not found: Stream: {} not found", arn));
}

std::unexpected<Error> Trimmed() {
  return Fail(ErrorCode::kTrimmedDataAccessException,
              "The operation attempted to read past the oldest stream record in a shard.");
}

std::string ShardId(const catalog::Stream& stream, const catalog::StreamPeriod& period, std::uint32_t lane) {
  // Eight digits that no other shard of the stream has.
  const std::uint64_t number = period.first_position * stream.lanes + lane;
  const auto mixed = static_cast<std::uint32_t>((number * 0x9e3779b97f4a7c15ULL) >> 32) ^ stream.space;
  return fmt::format("shardId-{:020}-{:08x}", period.begun_ms, mixed);
}

// The last position that belongs to a period; nothing while it is open.
std::optional<std::uint64_t> LastOf(const catalog::Stream& stream, std::size_t period) {
  if (period + 1 < stream.periods.size()) return stream.periods[period + 1].first_position - 1;
  if (stream.end) return stream.end->last_position;
  return std::nullopt;
}

void AppendBigEndian(std::string& bytes, const ShardIterator& iterator) {
  base::AppendBigEndianU32(bytes, iterator.lane);
  base::AppendBigEndianU64(bytes, iterator.period_first);
  base::AppendBigEndianU64(bytes, iterator.position);
  base::AppendBigEndianU64(bytes, static_cast<std::uint64_t>(iterator.issued_ms));
}

constexpr std::size_t kIteratorBytes = 4 + 3 * 8;

}  // namespace

std::string ToText(const ShardIterator& iterator) {
  std::string bytes;
  AppendBigEndian(bytes, iterator);
  std::string text = iterator.stream_arn;
  text.append(kIteratorVersion);
  base::AppendBase64(text, bytes);
  return text;
}

std::optional<ShardIterator> ShardIteratorFrom(std::string_view text) {
  const std::size_t version = text.rfind(kIteratorVersion);
  if (version == std::string_view::npos) return std::nullopt;
  std::string bytes;
  if (!base::AppendBase64Decoded(bytes, text.substr(version + kIteratorVersion.size()))) return std::nullopt;
  if (bytes.size() != kIteratorBytes) return std::nullopt;
  return ShardIterator{.stream_arn = std::string(text.substr(0, version)),
                       .lane = base::ReadBigEndianU32(bytes.data()),
                       .period_first = base::ReadBigEndianU64(bytes.data() + 4),
                       .position = base::ReadBigEndianU64(bytes.data() + 12),
                       .issued_ms = static_cast<std::int64_t>(base::ReadBigEndianU64(bytes.data() + 20))};
}

std::string SequenceNumber(std::uint64_t position) {
  return fmt::format("{}{:0{}}", kSequenceLead, position, kSequenceDigits);
}

std::optional<std::uint64_t> PositionFrom(std::string_view sequence_number) {
  if (sequence_number.size() != kSequenceLead.size() + kSequenceDigits) return std::nullopt;
  if (!sequence_number.starts_with(kSequenceLead)) return std::nullopt;
  const std::string_view digits = sequence_number.substr(kSequenceLead.size());
  std::uint64_t position = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), position);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return position;
}

Streams::Streams(storage::Store& store, catalog::Catalog& catalog, std::string region, std::string account,
                 const base::Clock& clock)
    : store_(store), catalog_(catalog), region_(std::move(region)), account_(std::move(account)), clock_(clock) {}

Result<catalog::StreamPtr> Streams::Find(std::string_view arn) const {
  constexpr std::string_view kTable = "table/";
  constexpr std::string_view kStream = "/stream/";
  const std::optional<engine::Arn> parts = ParseArn(arn);
  if (!parts || parts->region != region_ || parts->account != account_ || !parts->resource.starts_with(kTable)) {
    return StreamNotFound(arn);
  }
  const std::string_view resource = parts->resource.substr(kTable.size());
  const std::size_t middle = resource.find(kStream);
  if (middle == std::string_view::npos) return StreamNotFound(arn);
  catalog::StreamPtr stream = catalog_.FindStream(resource.substr(0, middle), resource.substr(middle + kStream.size()));
  if (stream == nullptr) return StreamNotFound(arn);
  return stream;
}

std::string Streams::Arn(const catalog::Stream& stream) const {
  return StreamArn(TableArn(region_, account_, stream.table_name), stream.label);
}

StreamStatus Streams::Status(const catalog::Stream& stream) const {
  if (stream.end) return StreamStatus::kDisabled;
  const catalog::TablePtr table = catalog_.Find(stream.table_name);
  const bool enabled = table != nullptr && table->stream_space == stream.space;
  return enabled ? StreamStatus::kEnabled : StreamStatus::kDisabling;
}

std::vector<StreamShard> Streams::Shards(const catalog::Stream& stream) {
  std::vector<StreamShard> shards;
  for (std::size_t period = 0; period < stream.periods.size(); ++period) {
    for (std::uint32_t lane = 0; lane < stream.lanes; ++lane) {
      StreamShard& shard = shards.emplace_back();
      shard.id = ShardId(stream, stream.periods[period], lane);
      if (period > 0) shard.parent = ShardId(stream, stream.periods[period - 1], lane);
      shard.lane = lane;
      shard.first_position = stream.periods[period].first_position;
      shard.last_position = LastOf(stream, period);
    }
  }
  return shards;
}

Result<ShardIterator> Streams::Begin(std::string_view arn, std::string_view shard_id, ShardIteratorType type,
                                     std::uint64_t position) const {
  const Result<catalog::StreamPtr> stream = Find(arn);
  if (!stream) return std::unexpected(stream.error());
  const std::vector<StreamShard> shards = Shards(**stream);
  const auto shard = std::ranges::find(shards, shard_id, &StreamShard::id);
  if (shard == shards.end()) {
    return Fail(ErrorCode::kResourceNotFoundException,
                fmt::format("Requested resource not found: Shard: {} in Stream: {} not found", shard_id, arn));
  }
  ShardIterator iterator{.stream_arn = std::string(arn),
                         .lane = shard->lane,
                         .period_first = shard->first_position,
                         .position = 0,
                         .issued_ms = clock_.NowMs()};
  const std::uint64_t oldest = std::max(shard->first_position, (*stream)->trimmed_position + 1);
  const std::uint64_t newest = shard->last_position.value_or(std::numeric_limits<std::uint64_t>::max() - 1);
  switch (type) {
    case ShardIteratorType::kTrimHorizon:
      iterator.position = oldest;
      return iterator;
    case ShardIteratorType::kLatest:
      iterator.position = shard->last_position.value_or(store_.LastPosition()) + 1;
      return iterator;
    case ShardIteratorType::kAtSequenceNumber:
    case ShardIteratorType::kAfterSequenceNumber:
      break;
  }
  if (position < shard->first_position || position > newest) {
    return ValidationError("Invalid SequenceNumber");
  }
  if (position < oldest) return Trimmed();
  iterator.position = type == ShardIteratorType::kAfterSequenceNumber ? position + 1 : position;
  return iterator;
}

Result<std::optional<ShardIterator>> Streams::Read(const ShardIterator& from, std::size_t limit, Visit visit) const {
  const std::int64_t now_ms = clock_.NowMs();
  if (now_ms - from.issued_ms > kShardIteratorLifetimeMs) {
    return Fail(ErrorCode::kExpiredIteratorException,
                "The shard iterator has expired and can no longer be used to retrieve stream records. A shard iterator "
                "expires 15 minutes after it is retrieved using the GetShardIterator action.");
  }
  const Result<catalog::StreamPtr> found = Find(from.stream_arn);
  if (!found) return std::unexpected(found.error());
  const catalog::Stream& stream = **found;
  const auto period = std::ranges::find(stream.periods, from.period_first, &catalog::StreamPeriod::first_position);
  if (period == stream.periods.end() || from.position <= stream.trimmed_position) return Trimmed();
  const std::optional<std::uint64_t> last = LastOf(stream, static_cast<std::size_t>(period - stream.periods.begin()));

  ShardIterator next = from;
  next.issued_ms = now_ms;
  std::size_t count = 0;
  std::size_t bytes = 0;
  bool damaged = false;
  const storage::Status status = store_.Scan(
      LaneRange(stream.space, from.lane, from.position, last.value_or(std::numeric_limits<std::uint64_t>::max())),
      {.reverse = false, .items_max = limit}, [&](std::string_view key, std::string_view value) {
        const std::optional<ChangeRecord> record = DecodeChange(value);
        damaged = !record;
        if (damaged) return false;
        const std::uint64_t position = PositionOf(key);
        visit(stream, position, *record);
        next.position = position + 1;
        bytes += value.size();
        return ++count < limit && bytes < kReadBytesMax;
      });
  if (damaged || status != storage::Status::kOk) {
    return Fail(ErrorCode::kInternalServerError, "The store could not be read; the server's log says why.");
  }
  const bool at_end = count < limit && bytes < kReadBytesMax;
  if (last && (at_end || next.position > *last)) return std::nullopt;
  return next;
}

void Streams::Keep() {
  const std::int64_t now_ms = clock_.NowMs();
  for (const catalog::StreamPtr& stream : catalog_.Streams()) {
    if (stream->end && now_ms - stream->end->ended_ms >= kStreamRetentionMs) {
      if (auto removed = catalog_.RemoveStream(stream->space); !removed) {
        base::Log(base::LogLevel::kWarning, "A stream cannot be removed: {}", removed.error().message);
      }
      continue;
    }
    Trim(*stream, now_ms);
    BeginPeriod(*stream, now_ms);
  }
}

bool Streams::HasRecords(const catalog::Stream& stream, std::uint64_t first_position) const {
  bool any = false;
  for (std::uint32_t lane = 0; lane < stream.lanes && !any; ++lane) {
    store_.Scan(LaneRange(stream.space, lane, first_position, std::numeric_limits<std::uint64_t>::max()),
                {.reverse = false, .items_max = 1}, [&](std::string_view, std::string_view) {
                  any = true;
                  return false;
                });
  }
  return any;
}

void Streams::BeginPeriod(const catalog::Stream& stream, std::int64_t now_ms) {
  const catalog::StreamPeriod& current = stream.periods.back();
  if (Status(stream) != StreamStatus::kEnabled || now_ms - current.begun_ms < kStreamPeriodMs) return;
  if (!HasRecords(stream, current.first_position)) return;
  const auto changed = catalog_.ChangeStream(stream.space, [&](catalog::Stream& edited) {
    edited.periods.push_back({.first_position = store_.LastPosition() + 1, .begun_ms = now_ms});
  });
  if (!changed) base::Log(base::LogLevel::kWarning, "A shard cannot be closed: {}", changed.error().message);
}

void Streams::Trim(const catalog::Stream& stream, std::int64_t now_ms) {
  const std::int64_t oldest_ms = now_ms - kStreamRetentionMs;
  // Where the records that are due end, and whether it is time to remove them.
  std::uint64_t due = stream.trimmed_position;
  bool long_due = false;
  for (std::uint32_t lane = 0; lane < stream.lanes; ++lane) {
    store_.Scan(LaneRange(stream.space, lane, stream.trimmed_position + 1, std::numeric_limits<std::uint64_t>::max()),
                {}, [&](std::string_view key, std::string_view value) {
                  const std::optional<ChangeRecord> record = DecodeChange(value);
                  if (record && record->time_ms > oldest_ms) return false;
                  long_due = long_due || !record || record->time_ms <= oldest_ms - kTrimEveryMs;
                  if (!long_due) return false;
                  due = std::max(due, PositionOf(key));
                  return true;
                });
  }
  if (due == stream.trimmed_position) return;
  const auto changed = catalog_.ChangeStream(stream.space, [&](catalog::Stream& edited) {
    edited.trimmed_position = due;
    // Periods of which nothing is left, but for the one that is open.
    while (edited.periods.size() > 1 && edited.periods[1].first_position <= due + 1) {
      edited.periods.erase(edited.periods.begin());
    }
  });
  if (!changed) {
    base::Log(base::LogLevel::kWarning, "A stream cannot be trimmed: {}", changed.error().message);
    return;
  }
  // From the very first one on: a crash may have left what an earlier time was to
  // remove.
  for (std::uint32_t lane = 0; lane < stream.lanes; ++lane) {
    if (store_.EraseRange(LaneRange(stream.space, lane, 0, due)) != storage::Status::kOk) return;
  }
}

}  // namespace taula::engine
