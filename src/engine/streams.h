// Reading streams: which there are, which shards they have, where to begin, and
// the records from there on. Shards are closed and followed by new ones every
// few hours, and records are kept for a day.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/function_ref.h"
#include "catalog/catalog.h"
#include "engine/change_log.h"
#include "storage/store.h"
#include "taula/error.h"

namespace taula::engine {

inline constexpr std::int64_t kStreamRetentionMs = 24LL * 60 * 60 * 1000;
inline constexpr std::int64_t kStreamPeriodMs = 4LL * 60 * 60 * 1000;
inline constexpr std::int64_t kShardIteratorLifetimeMs = 15LL * 60 * 1000;

// A lane of a stream during one period.
struct StreamShard {
  std::string id;
  std::optional<std::string> parent;
  std::uint32_t lane = 0;
  std::uint64_t first_position = 0;
  std::optional<std::uint64_t> last_position;  // of a closed shard
};

enum class StreamStatus { kEnabled, kDisabling, kDisabled };

enum class ShardIteratorType { kTrimHorizon, kLatest, kAtSequenceNumber, kAfterSequenceNumber };

// A place in a shard, of which a client keeps the text.
struct ShardIterator {
  std::string stream_arn;
  std::uint32_t lane = 0;
  std::uint64_t period_first = 0;  // which tells the period
  std::uint64_t position = 0;      // of the next record, or before it
  std::int64_t issued_ms = 0;
};

[[nodiscard]] std::string ToText(const ShardIterator& iterator);
[[nodiscard]] std::optional<ShardIterator> ShardIteratorFrom(std::string_view text);

// Positions as clients see them: texts of digits that grow with them.
[[nodiscard]] std::string SequenceNumber(std::uint64_t position);
[[nodiscard]] std::optional<std::uint64_t> PositionFrom(std::string_view sequence_number);

class Streams {
 public:
  Streams(storage::Store& store, catalog::Catalog& catalog, std::string region, std::string account,
          const base::Clock& clock);

  // In the order of their making.
  [[nodiscard]] std::vector<catalog::StreamPtr> List() const { return catalog_.Streams(); }
  // Fails with kResourceNotFoundException.
  [[nodiscard]] Result<catalog::StreamPtr> Find(std::string_view arn) const;
  [[nodiscard]] std::string Arn(const catalog::Stream& stream) const;
  [[nodiscard]] StreamStatus Status(const catalog::Stream& stream) const;
  // Parents come before their children.
  [[nodiscard]] static std::vector<StreamShard> Shards(const catalog::Stream& stream);

  // `position` is for the types that begin at one.
  [[nodiscard]] Result<ShardIterator> Begin(std::string_view arn, std::string_view shard_id, ShardIteratorType type,
                                            std::uint64_t position) const;

  using Visit = base::FunctionRef<void(const catalog::Stream& stream, std::uint64_t position, const ChangeRecord&)>;
  // Shows up to `limit` records to `visit`, and not many more than a megabyte.
  // Returns where to go on; nothing when the shard is closed and read to its end.
  [[nodiscard]] Result<std::optional<ShardIterator>> Read(const ShardIterator& from, std::size_t limit,
                                                          Visit visit) const;

  // Closes shards that have been open for long, removes records of more than a
  // day ago, and streams that have none left. To be called now and then.
  void Keep();

 private:
  [[nodiscard]] bool HasRecords(const catalog::Stream& stream, std::uint64_t first_position) const;
  void BeginPeriod(const catalog::Stream& stream, std::int64_t now_ms);
  void Trim(const catalog::Stream& stream, std::int64_t now_ms);

  storage::Store& store_;
  catalog::Catalog& catalog_;
  const std::string region_;
  const std::string account_;
  const base::Clock& clock_;
};

}  // namespace taula::engine
