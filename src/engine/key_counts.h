// Which keys of a table or index are asked for most: what contributor insights
// (contributor_insights.h) tell. For each minute and each rule a sketch of bounded
// size is kept (space_saving.h); of minutes that are over only the leading keys,
// and those for three hours. Nothing of it is persisted. key_watch.h feeds it.
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

// A key by the bytes it has in the store (codec/key_codec.h): the parts of the
// partition key, and those of the whole key, which begin with them. Without the
// latter it counts for its partition only, as a query does.
struct KeyParts {
  std::string_view partition;
  std::string_view whole;
};

// What was counted in one minute.
struct KeyMinute {
  std::int64_t minute_ms = 0;     // when it began
  std::vector<SketchedKey> keys;  // the parts of the leading ones, in no order
  double total = 0;               // of all keys, also of those not listed
  std::size_t different = 0;      // how many keys are known of, at most what the sketches hold
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
  static constexpr std::int64_t kMinutesKept = 180;
  // Of a minute that is over, in each stripe: as many as a report can show, and
  // fewer when they are long.
  static constexpr std::size_t kKeysKept = 100;
  static constexpr std::size_t kKeyBytesKept = 16 * 1024;

  KeyCounts() = default;
  KeyCounts(const KeyCounts&) = delete;
  KeyCounts& operator=(const KeyCounts&) = delete;

  // Whether there is anything to be counted. Without an index it is the table's own.
  [[nodiscard]] static bool Wants(const catalog::Table& table, const catalog::Index* index, KeyEvent event);
  // Of what it wants.
  void Count(const catalog::Table& table, const catalog::Index* index, KeyEvent event, const KeyParts& key,
             double weight, std::int64_t now_ms);

  // The minutes that begin in the window and in which anything was counted, oldest
  // first.
  [[nodiscard]] std::vector<KeyMinute> Minutes(const catalog::Table& table, const catalog::Index* index, KeyRule rule,
                                               TimeWindow window) const;

  // Lets go of tables and indexes that nothing was counted for in all the time that
  // is kept. To be called now and then.
  void Forget(std::int64_t now_ms);

 private:
  // The counts of one rule, for the keys of one stripe.
  class History {
   public:
    void Add(std::string_view key, double weight, std::int64_t minute);
    void AddTo(std::map<std::int64_t, KeyMinute>& minutes, TimeWindow window) const;
    [[nodiscard]] std::int64_t last_minute() const { return minute_; }

   private:
    [[nodiscard]] KeyMinute Summary() const;

    std::int64_t minute_ = -1;  // that is being counted
    std::unique_ptr<SpaceSaving> sketch_;
    std::map<std::int64_t, KeyMinute> over_;
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
