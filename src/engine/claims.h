// Values that one item of a table has for itself alone (catalog/item_rules.h):
// a key beside the items tells whose each is, and changes in the same batch as
// the item. Who takes or releases a claim reads that key in the same mutation,
// so of two who want it at once one is told no.
//
//   claim key := 'U' space:u32be name     value := the item's key in the store
//
// Persisted: do not change.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/item_rules.h"
#include "catalog/table.h"
#include "codec/key_codec.h"
#include "storage/store.h"
#include "taula/error.h"

namespace taula::engine {

[[nodiscard]] storage::Range ClaimRange(codec::SpaceId space);

// The keys of what an item claims.
[[nodiscard]] std::vector<storage::Key> ClaimKeys(const catalog::Table& table, ValueView item);

// Runs of one mutation, each of which found that it needs other claims.
inline constexpr std::size_t kClaimRunsMax = 16;

[[nodiscard]] Error NotUnique(std::string_view meaning);

// What the actions of one mutation claim and let go.
class ClaimChanges {
 public:
  // Of one action: nothing for an item that is not there. `owner` is the item's
  // key in the store.
  void Note(std::size_t action, const catalog::Table& table, std::optional<ValueView> before,
            std::optional<ValueView> after, std::string_view owner);

  // The keys that are not in `reads`, where they must be to be written.
  [[nodiscard]] std::vector<storage::Key> Missing(std::span<const storage::Key> reads) const;

  // Remembers an item as the rules made it of a put, with its generated ids, so
  // that another run claims the same.
  void Remember(std::size_t action, const Item& item) { made_.emplace_back(action, item); }
  [[nodiscard]] const std::vector<std::pair<std::size_t, Item>>& made() const { return made_; }

  struct Refusal {
    std::size_t action = 0;
    std::string meaning;  // of the claim
    Error error;
  };

  // Writes them all, or says which claims others have. What is let go by one
  // action can be taken by another. None of the keys is missing.
  [[nodiscard]] std::vector<Refusal> Write(std::span<const storage::Key> reads,
                                           std::span<const std::optional<std::string_view>> values,
                                           storage::Batch& batch) const;

 private:
  struct Change {
    std::size_t action;
    storage::Key key;
    std::string meaning;
    std::string owner;
    bool taken;
  };

  void Add(std::size_t action, const catalog::Table& table, const catalog::Claim& claim, std::string_view owner,
           bool taken);

  std::vector<Change> changes_;
  std::vector<std::pair<std::size_t, Item>> made_;
};

}  // namespace taula::engine
