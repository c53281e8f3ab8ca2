// Follows the changes of a table through its stream, on any server that speaks
// DynamoDB's API: shard by shard, parents before their children, so that the
// changes of each item come in their order; through closed shards, expired
// iterators, and a stream that is turned off and on again.
//
//   StreamFollower follower(call, "orders", StreamFollower::From::kNow);
//   while (…) {
//     auto read = follower.Poll([](const ChangeBatch& batch) { …; return true; });
//   }
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "client/call_function.h"
#include "taula/error.h"

namespace taula::client {

// Records of one shard, in order. The views are good during the call.
struct ChangeBatch {
  std::string_view table;
  std::vector<std::string_view> records;  // each as GetRecords has it, in JSON
};

class StreamFollower {
 public:
  // Where to begin when there is no checkpoint.
  enum class From { kOldest, kNow };

  StreamFollower(CallFunction call, std::string table, From from);

  // Takes up where the checkpoint of another follower was made. False when the
  // text is none, or one of another table.
  [[nodiscard]] bool Resume(std::string_view checkpoint);
  // What has been handed on so far, as text.
  [[nodiscard]] std::string Checkpoint() const;

  // Hands on what there is, at most `limit` records at a time, and returns how
  // many it were. A batch that `visit` says no to comes again next time, first
  // of its shard; the other shards go on.
  using Visit = base::FunctionRef<bool(const ChangeBatch& batch)>;
  [[nodiscard]] Result<std::size_t> Poll(Visit visit, std::size_t limit = 1000);

  // Makes sure that all that happens from now on will be handed on, whatever
  // happens to this process, and hands on nothing. To be called again, every few
  // minutes at least, until polling begins: the place of a shard in which nothing
  // has happened yet is only known for so long. Where it is forgotten
  // nevertheless, the shard's oldest change is where it goes on.
  [[nodiscard]] Result<void> Hold();

  // What was lost because nobody read it for a day, as sentences; each once.
  [[nodiscard]] std::vector<std::string> TakeWarnings();

 private:
  struct Shard {
    std::optional<std::string> parent;
    std::string after;      // sequence number of the last record handed on; empty: none yet
    std::string at;         // that of the first to be handed on, where it is known
    bool from_now = false;  // begins with what comes, not with the oldest

    [[nodiscard]] bool IsUnplaced() const { return from_now && after.empty() && at.empty(); }
    bool done = false;                    // closed and read to its end
    std::optional<std::string> iterator;  // nothing: to be asked for
  };
  using Shards = std::map<std::string, Shard>;

  Result<void> FindStream();
  Result<void> ListShards();
  void AddShard(const std::string& id, std::optional<std::string> parent, bool closed);
  [[nodiscard]] bool MayBegin(const Shard& shard) const;
  Result<void> OpenShard(const std::string& id, Shard& shard);
  // Nothing when the iterator is no longer good.
  Result<std::optional<std::string>> GetRecords(Shard& shard, std::size_t limit);
  Result<void> HoldShard(const std::string& id, Shard& shard);
  // The number of records handed on; nothing when `visit` said no.
  Result<std::optional<std::size_t>> ReadShard(const std::string& id, Shard& shard, Visit visit, std::size_t limit);

  const CallFunction call_;
  const std::string table_;
  From from_;
  std::string stream_arn_;  // empty before the first poll
  Shards shards_;
  bool held_ = false;    // nothing may be lost
  bool listed_ = false;  // the shards, since the last one ended
  std::size_t polls_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace taula::client
