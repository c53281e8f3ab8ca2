#include "engine/expiry.h"

#include <array>
#include <charconv>

#include "base/bytes.h"
#include "value/number.h"

namespace taula::engine {
namespace {

constexpr char kExpiryKind = 'X';
constexpr std::size_t kTimeAt = codec::kSpacePrefixBytes;
constexpr std::size_t kItemKeyAt = kTimeAt + 8;

std::string TimePrefix(codec::SpaceId space, std::int64_t time_s, std::size_t more_bytes = 0) {
  std::string prefix;
  prefix.reserve(kItemKeyAt + more_bytes);
  prefix.push_back(kExpiryKind);
  base::AppendBigEndianU32(prefix, space);
  base::AppendBigEndianU64(prefix, static_cast<std::uint64_t>(time_s));
  return prefix;
}

// Of a key that is there already, all but for its time.
void SetTime(std::string& key, std::int64_t time_s) {
  std::string time;
  base::AppendBigEndianU64(time, static_cast<std::uint64_t>(time_s));
  key.replace(kTimeAt, time.size(), time);
}

}  // namespace

std::optional<std::int64_t> ExpiryOf(const catalog::Table& table, ValueView item) {
  const std::optional<ValueView> number = item.Find(table.time_to_live->attribute);
  if (!number || number->type() != Type::kNumber) return std::nullopt;
  // A fraction of a second makes no difference.
  std::array<char, value::kNumberTextBytesMax> text;
  const char* const text_end = value::WriteTextFromOrdered(text.data(), number->ordered_number());
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text_end, seconds);
  const bool is_whole = end == text_end || *end == '.';
  if (error != std::errc() || !is_whole || seconds <= 0) return std::nullopt;
  return seconds;
}

bool IsExpired(const catalog::Table& table, ValueView item, std::int64_t now_s) {
  if (!Expires(table)) return false;
  const std::optional<std::int64_t> expiry = ExpiryOf(table, item);
  return expiry && *expiry <= now_s && *expiry > now_s - kExpiryAgeMaxSeconds;
}

void MoveExpiry(const catalog::Table& table, std::string_view item_key, std::optional<ValueView> before,
                std::optional<ValueView> after, storage::Batch& batch) {
  const auto old_time = before ? ExpiryOf(table, *before) : std::nullopt;
  const auto new_time = after ? ExpiryOf(table, *after) : std::nullopt;
  if (old_time == new_time) return;
  std::string key = ExpiryKey(table.space, old_time.value_or(0), item_key);
  if (old_time) batch.Delete(key);
  if (!new_time) return;
  SetTime(key, *new_time);
  batch.Put(key, "");
}

std::string ExpiryKey(codec::SpaceId space, std::int64_t time_s, std::string_view item_key) {
  const std::string_view from_hash = item_key.substr(codec::kSpacePrefixBytes);
  return TimePrefix(space, time_s, from_hash.size()).append(from_hash);
}

std::string ExpiringItemKey(std::string_view expiry_key) {
  std::string key(1, codec::kDataKind);
  key.append(expiry_key.substr(1, kTimeAt - 1));
  key.append(expiry_key.substr(kItemKeyAt));
  return key;
}

base::KeyRange ExpiryRange(codec::SpaceId space, std::int64_t first_s, std::int64_t last_s) {
  return {TimePrefix(space, first_s), TimePrefix(space, last_s + 1)};
}

base::KeyRange AllExpiriesRange(codec::SpaceId space) {
  std::string begin(1, kExpiryKind);
  base::AppendBigEndianU32(begin, space);
  std::string end = codec::PrefixEnd(begin);
  return {std::move(begin), std::move(end)};
}

}  // namespace taula::engine
