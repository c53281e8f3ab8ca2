// Which keys of a table or index are asked for most: what contributor insights
// (contributor_insights.h) tell. For each minute and each rule a sketch of bounded
// size is kept (space_saving.h); of minutes that are over only the leading keys,
// and those for three hours. Nothing of it is persisted.
//
// How it is to be fed. Whoever has carried out, or throttled, a request on items
// calls Count once for each item it read or wrote, and once for a query:
//  - `table` and `index` as the request held them; the table's own counts are
//    without an index. Nothing is counted where insights are off, so the caller
//    need not ask.
//  - `partition` and `sort` are the canonical bytes of the key's values
//    (include/taula/value.h: ValueView::encoded), those of several attributes one
//    behind the other in the order of the key. A request that names no single sort
//    key, such as a query, gives none; it counts for the partition only.
//  - `weight`: for kAccessed the capacity units that were consumed for this key, as
//    Amazon's rules add up; for kThrottled one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/table.h"
#include "codec/key_codec.h"
#include "engine/contributor_insights.h"
#include "engine/space_saving.h"

namespace taula::engine {

enum class KeyEvent { kAccessed, kThrottled };

struct TopKey {
  std::string partition;
  std::string sort;  // empty for rules that count by partition
  double count = 0;
  double error = 0;  // by how much the count may be too high
};

struct KeyReport {
  std::vector<TopKey> keys;   // the highest count first
  double total = 0;           // of all keys, also of those not listed
  std::size_t different = 0;  // how many keys are known of, at most what a sketch holds a minute
};

// Milliseconds since 1970, the end not included.
struct TimeWindow {
  std::int64_t from_ms = 0;
  std::int64_t to_ms = 0;
};

// For any number of threads.
class KeyCounts {
 public:
  static constexpr std::size_t kKeysPerMinute = 1000;
  static constexpr std::size_t kKeysKept = 100;
  static constexpr std::int64_t kMinutesKept = 180;

  KeyCounts() = default;
  KeyCounts(const KeyCounts&) = delete;
  KeyCounts& operator=(const KeyCounts&) = delete;

  void Count(const catalog::Table& table, const catalog::Index* index, KeyEvent event, std::string_view partition,
             std::string_view sort, double weight, std::int64_t now_ms);

  // The leading keys of the minutes that begin in the window.
  [[nodiscard]] KeyReport Top(const catalog::Table& table, const catalog::Index* index, KeyRule rule,
                              std::size_t keys_max, TimeWindow window) const;

  // Lets go of tables and indexes that nothing was counted for in all the time that
  // is kept. To be called now and then.
  void Forget(std::int64_t now_ms);

 private:
  // Of a minute that is over.
  struct Summary {
    std::vector<SketchedKey> keys;
    double total = 0;
    std::size_t different = 0;
  };

  // The counts of one rule, for the keys of one stripe.
  class History {
   public:
    void Add(std::string_view key, double weight, std::int64_t minute);
    void AddTo(std::unordered_map<std::string, SketchedKey>& sums, KeyReport& report, TimeWindow window) const;
    [[nodiscard]] std::int64_t last_minute() const { return minute_; }

   private:
    void Close(std::int64_t minute);

    std::int64_t minute_ = -1;  // that is being counted
    std::unique_ptr<SpaceSaving> sketch_;
    std::map<std::int64_t, Summary> over_;
  };

  // Keys are spread over stripes, so that threads seldom meet; each key is in one.
  static constexpr std::size_t kStripes = 4;
  static constexpr std::size_t kRules = 4;
  struct Stripe {
    mutable std::mutex mutex;
    std::array<History, kRules> rules;
  };
  struct Counts {
    std::array<Stripe, kStripes> stripes;
  };

  [[nodiscard]] std::shared_ptr<Counts> Find(codec::SpaceId space) const;
  [[nodiscard]] std::shared_ptr<Counts> FindOrMake(codec::SpaceId space);

  mutable std::shared_mutex mutex_;
  // By the space of a table or an index: no other ever has the same.
  std::unordered_map<codec::SpaceId, std::shared_ptr<Counts>> by_space_;
};

}  // namespace taula::engine
