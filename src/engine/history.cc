#include "engine/history.h"

#include "base/bytes.h"

namespace taula::engine {
namespace {

constexpr char kHistoryKind = 'H';
constexpr char kFormat = 1;
constexpr std::size_t kTimeAt = 1;
constexpr std::size_t kKeyAt = kTimeAt + 8;

std::string SpacePrefix(codec::SpaceId space) {
  std::string prefix(1, kHistoryKind);
  base::AppendBigEndianU32(prefix, space);
  return prefix;
}

}  // namespace

void LogHistory(const catalog::Table& table, std::string_view item_key, std::int64_t now_ms,
                std::optional<std::string_view> before, storage::Batch& batch) {
  const std::string_view key = item_key.substr(codec::kSpacePrefixBytes);
  std::string value;
  value.reserve(kKeyAt + 3 + key.size() + before.value_or("").size());
  value.push_back(kFormat);
  base::AppendU64(value, static_cast<std::uint64_t>(now_ms));
  base::AppendVarint(value, static_cast<std::uint32_t>(key.size()));
  value.append(key);
  value.append(before.value_or(""));
  // Four bytes more make the prefix as long as a partition's.
  std::string prefix = SpacePrefix(table.recovery->space);
  base::AppendBigEndianU32(prefix, 0);
  batch.Log(prefix, value);
}

std::optional<HistoryRecord> DecodeHistory(std::string_view value) {
  if (value.size() <= kKeyAt || value[0] != kFormat) return std::nullopt;
  HistoryRecord record;
  record.time_ms = static_cast<std::int64_t>(base::ReadU64(value.data() + kTimeAt));
  const char* at = value.data() + kKeyAt;
  const std::uint32_t key_bytes = base::ReadVarint(at);
  const auto key_begin = static_cast<std::size_t>(at - value.data());
  if (key_begin + key_bytes > value.size()) return std::nullopt;
  record.item_key = value.substr(key_begin, key_bytes);
  const std::string_view rest = value.substr(key_begin + key_bytes);
  if (!rest.empty()) record.before = rest;
  return record;
}

base::KeyRange HistoryRange(codec::SpaceId space) {
  std::string begin = SpacePrefix(space);
  std::string end = codec::PrefixEnd(begin);
  return {std::move(begin), std::move(end)};
}

}  // namespace taula::engine
