// Items that expire. A table with a time to live keeps, beside its items, the
// keys of those that have a time in that attribute, in the order of the times.
// They are written in the same batch as the item, so whoever removes expired
// items (expiry_sweep.h) reads just those. Persisted (docs/formats.md): do not
// change.
//
//   expiry key := 'X' space:u32be time:u64be (the item's key, from its hash on)
//
// The time is in seconds since 1970. The value is empty.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/key_range.h"
#include "catalog/table.h"
#include "codec/key_codec.h"
#include "storage/batch.h"
#include "taula/value.h"

namespace taula::engine {

// Items that ended longer ago than this are kept: as Amazon does, lest a wrong
// unit of time empty a table.
inline constexpr std::int64_t kExpiryAgeMaxSeconds = std::int64_t{5} * 365 * 24 * 60 * 60;

// Whether writes keep the expiry keys.
[[nodiscard]] inline bool Expires(const catalog::Table& table) {
  return table.time_to_live && table.time_to_live->enabled;
}

// The second at which the item expires; nothing when its attribute is missing
// or no number of seconds since 1970.
[[nodiscard]] std::optional<std::int64_t> ExpiryOf(const catalog::Table& table, ValueView item);

[[nodiscard]] bool IsExpired(const catalog::Table& table, ValueView item, std::int64_t now_s);

// Puts the expiry key of an item that has been changed into its new place.
void MoveExpiry(const catalog::Table& table, std::string_view item_key, std::optional<ValueView> before,
                std::optional<ValueView> after, storage::Batch& batch);

[[nodiscard]] std::string ExpiryKey(codec::SpaceId space, std::int64_t time_s, std::string_view item_key);
// The key of the item that an expiry key stands for.
[[nodiscard]] std::string ExpiringItemKey(std::string_view expiry_key);
// The keys of items whose time is from `first_s` to `last_s`, both included.
[[nodiscard]] base::KeyRange ExpiryRange(codec::SpaceId space, std::int64_t first_s, std::int64_t last_s);

// All expiry keys of a table, for erasing.
[[nodiscard]] base::KeyRange AllExpiriesRange(codec::SpaceId space);

}  // namespace taula::engine
