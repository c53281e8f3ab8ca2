// A key and its hash, which is asked for again and again on the way of a write.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace taula::storage {

[[nodiscard]] inline std::uint64_t HashKey(std::string_view key) { return std::hash<std::string_view>{}(key); }

// Does not hold the key's bytes.
struct HashedKey {
  explicit HashedKey(std::string_view bytes) : HashedKey(bytes, HashKey(bytes)) {}
  HashedKey(std::string_view bytes, std::uint64_t known_hash) : key(bytes), hash(known_hash) {}

  [[nodiscard]] bool operator==(const HashedKey& other) const { return hash == other.hash && key == other.key; }

  std::string_view key;
  std::uint64_t hash;
};

}  // namespace taula::storage
