#include "engine/change_log.h"

#include <limits>

#include "base/bytes.h"
#include "codec/key_codec.h"
#include "codec/stored_item.h"
#include "engine/index_entries.h"

namespace taula::engine {
namespace {

constexpr char kChangeKind = 'J';
constexpr char kFormat = 1;
constexpr std::size_t kHeaderBytes = 3 + 8;

// What a record holds.
constexpr unsigned kHasKey = 1;
constexpr unsigned kHasBefore = 2;
constexpr unsigned kHasAfter = 4;

bool ShowsBefore(StreamViewType view) {
  return view == StreamViewType::kOldImage || view == StreamViewType::kNewAndOldImages;
}

bool ShowsAfter(StreamViewType view) {
  return view == StreamViewType::kNewImage || view == StreamViewType::kNewAndOldImages;
}

// Items of a partition share the hash that their keys begin with, so they share
// a lane; the lanes divide the hashes evenly.
std::uint32_t LaneOf(std::string_view item_key) {
  const std::uint64_t hash = base::ReadBigEndianU32(item_key.data() + codec::kSpacePrefixBytes);
  return static_cast<std::uint32_t>(hash * catalog::kStreamLanes >> 32);
}

std::string StreamPrefix(codec::SpaceId stream_space) {
  std::string prefix(1, kChangeKind);
  base::AppendBigEndianU32(prefix, stream_space);
  return prefix;
}

// The stored item at the front of the bytes, which it is taken from. Nothing
// when it is not whole.
std::optional<std::string_view> TakeStored(std::string_view& bytes) {
  if (bytes.size() <= codec::kStoredItemHeaderBytes) return std::nullopt;
  const std::size_t size = codec::kStoredItemHeaderBytes + codec::StoredItemValue(bytes).encoded().size();
  if (size > bytes.size()) return std::nullopt;
  const std::string_view stored = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return stored;
}

}  // namespace

void LogChange(const catalog::Table& table, const Change& change, storage::Batch& batch) {
  const StreamViewType view = table.stream->view_type.value_or(StreamViewType::kNewAndOldImages);
  const bool has_before = change.before && ShowsBefore(view);
  const bool has_after = change.after && ShowsAfter(view);
  unsigned parts = (has_before ? kHasBefore : 0) | (has_after ? kHasAfter : 0);
  if (parts == 0) parts = kHasKey;

  std::string record;
  record.reserve(kHeaderBytes + (has_before ? change.before->size() : 0) + (has_after ? change.after->size() : 0));
  record.push_back(kFormat);
  record.push_back(static_cast<char>(change.kind));
  record.push_back(static_cast<char>(parts));
  base::AppendU64(record, static_cast<std::uint64_t>(change.now_ms));
  if (has_before) record.append(*change.before);
  if (has_after) record.append(*change.after);
  if (parts == kHasKey) {
    const ValueView item = codec::StoredItemValue(change.after ? *change.after : *change.before);
    codec::AppendStoredItem(record, KeyOf(table, nullptr, item).view());
  }
  batch.Log(LanePrefix(table.stream_space, LaneOf(change.item_key)), record);
}

std::optional<ChangeRecord> DecodeChange(std::string_view record) {
  if (record.size() < kHeaderBytes || record[0] != kFormat) return std::nullopt;
  const auto parts = static_cast<unsigned char>(record[2]);
  ChangeRecord change{.kind = static_cast<ChangeKind>(record[1]),
                      .time_ms = static_cast<std::int64_t>(base::ReadU64(record.data() + 3)),
                      .key = {},
                      .before = {},
                      .after = {}};
  record.remove_prefix(kHeaderBytes);
  const auto take = [&](unsigned part, std::optional<std::string_view>& stored) {
    if ((parts & part) == 0) return true;
    stored = TakeStored(record);
    return stored.has_value();
  };
  const bool whole = take(kHasBefore, change.before) && take(kHasAfter, change.after) && take(kHasKey, change.key);
  if (!whole) return std::nullopt;
  return change;
}

std::string LanePrefix(codec::SpaceId stream_space, std::uint32_t lane) {
  std::string prefix = StreamPrefix(stream_space);
  base::AppendBigEndianU32(prefix, lane);
  return prefix;
}

base::KeyRange LaneRange(codec::SpaceId stream_space, std::uint32_t lane, std::uint64_t first, std::uint64_t last) {
  base::KeyRange range{LanePrefix(stream_space, lane), LanePrefix(stream_space, lane)};
  base::AppendBigEndianU64(range.begin, first);
  if (last == std::numeric_limits<std::uint64_t>::max()) {
    range.end = codec::PrefixEnd(range.end);
  } else {
    base::AppendBigEndianU64(range.end, last + 1);
  }
  return range;
}

std::uint64_t PositionOf(std::string_view record_key) {
  return base::ReadBigEndianU64(record_key.data() + record_key.size() - 8);
}

base::KeyRange ChangesRange(codec::SpaceId stream_space) {
  const std::string prefix = StreamPrefix(stream_space);
  return {prefix, codec::PrefixEnd(prefix)};
}

}  // namespace taula::engine
