// Locks over the keys of mutations: a fixed number of stripes, each guarding
// the keys that hash to it, so that mutations over different keys decide side
// by side and the memory does not grow with the keys.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "storage/hashed_key.h"
#include "storage/store.h"

namespace taula::storage {

// The keys a mutation reads, by hash, in the order in which their stripes are
// locked. Refers to the keys by their position and does not hold them.
class KeyHashes {
 public:
  struct Item {
    std::uint64_t hash;
    std::uint32_t position;
  };

  KeyHashes() = default;
  explicit KeyHashes(std::span<const Key> keys) {
    items_.reserve(keys.size());
    for (std::uint32_t position = 0; position < keys.size(); ++position) {
      items_.push_back({HashKey(keys[position]), position});
    }
    std::ranges::sort(items_, {}, &Item::hash);
  }

  [[nodiscard]] std::span<const Item> items() const { return items_; }

  // The position of `key` among `keys`, those that this was made from.
  [[nodiscard]] std::optional<std::uint32_t> Find(std::span<const Key> keys, const HashedKey& key) const {
    for (auto item = std::ranges::lower_bound(items_, key.hash, {}, &Item::hash);
         item != items_.end() && item->hash == key.hash; ++item) {
      if (keys[item->position] == key.key) return item->position;
    }
    return std::nullopt;
  }

 private:
  std::vector<Item> items_;
};

class StripedLocks {
 public:
  static constexpr int kStripeBits = 10;
  static constexpr std::size_t kStripes = std::size_t{1} << kStripeBits;

  // By the hash's high bits, so that keys sorted by hash are sorted by stripe.
  [[nodiscard]] static std::size_t StripeOf(std::uint64_t hash) { return hash >> (64 - kStripeBits); }

  // Holds the stripes of all keys. Everyone takes stripes in ascending order,
  // so nobody ever waits in a circle.
  class Guard {
   public:
    Guard(StripedLocks& locks, const KeyHashes& keys) : locks_(locks) {
      stripes_.reserve(keys.items().size());
      for (const KeyHashes::Item& item : keys.items()) {
        const std::size_t stripe = StripeOf(item.hash);
        if (stripes_.empty() || stripes_.back() != stripe) stripes_.push_back(static_cast<std::uint16_t>(stripe));
      }
      for (const std::uint16_t stripe : stripes_) locks_.mutexes_[stripe].lock();
    }
    ~Guard() { Release(); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    void Release() {
      for (const std::uint16_t stripe : stripes_) locks_.mutexes_[stripe].unlock();
      stripes_.clear();
    }

   private:
    StripedLocks& locks_;
    std::vector<std::uint16_t> stripes_;
  };

  [[nodiscard]] std::mutex& Stripe(std::uint64_t hash) { return mutexes_[StripeOf(hash)]; }

 private:
  std::array<std::mutex, kStripes> mutexes_;
};

}  // namespace taula::storage
