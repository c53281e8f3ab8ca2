// The stored form of an item (docs/formats.md). Persisted: do not change.
//
//   stored item := format:u8 size:u32 map
//
// `size` is the item's size in DynamoDB's accounting, kept so that a read is
// charged without walking through the item; `map` is an encoded map value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "taula/value.h"

namespace taula::codec {

inline constexpr char kStoredItemFormat = 1;
inline constexpr std::size_t kStoredItemHeaderBytes = 1 + 4;

// `item` is a map value.
void AppendStoredItem(std::string& out, ValueView item);

// In DynamoDB's accounting, not in bytes stored.
[[nodiscard]] inline std::uint32_t StoredItemSize(std::string_view stored) { return base::ReadU32(stored.data() + 1); }

[[nodiscard]] inline ValueView StoredItemValue(std::string_view stored) {
  return ValueView(stored.data() + kStoredItemHeaderBytes);
}

// Whether the bytes are what AppendStoredItem writes, down to the last one. For
// checking a store; reading trusts what it has written.
[[nodiscard]] bool IsWellFormed(std::string_view stored);

}  // namespace taula::codec
