// Where a page of an operation ended, as callers carry it to the next call:
// base64url of bytes that mean nothing to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "design/model.h"
#include "taula/value.h"

namespace taula::design {

struct PageToken {
  std::uint64_t fingerprint = 0;  // of what is read; a token of anything else is refused
  std::int64_t now_ms = 0;        // {now} is the same on all pages
  Item key;                       // ExclusiveStartKey

  [[nodiscard]] std::string Encode() const;
  // Nothing when the text is no token.
  [[nodiscard]] static std::optional<PageToken> Decode(std::string_view text);
};

// Differs between operations, and between partitions of one.
[[nodiscard]] std::uint64_t Fingerprint(std::string_view table, std::string_view operation, std::string_view partition);

// Whether `key` has just the attributes that a key of the table and the index
// has, of their types.
[[nodiscard]] bool IsStartKey(const Table& table, const Index* index, const Item& key);

// The key of an item, for the page that begins behind it.
[[nodiscard]] Item StartKeyOf(const Table& table, const Index* index, ValueView item);

}  // namespace taula::design
