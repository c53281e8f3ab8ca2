// Writes the changes of a table's stream into another table.
#pragma once

#include <cstdint>

#include "client/call_function.h"
#include "client/patience.h"
#include "client/stream_follower.h"
#include "taula/error.h"
#include "transfer/bulk_writer.h"
#include "transfer/item_key.h"

namespace taula::transfer {

// A change is replayed by what the item was after it. Where the stream does not
// say (KEYS_ONLY, OLD_IMAGE), by what the item is by now: the changes since then
// are in the stream too, so both end in the same.
class ChangeReplay {
 public:
  // `source` is asked for items that the stream does not show; `writer`
  // outlives it.
  ChangeReplay(client::CallFunction source, KeyNames key, client::Patience patience, BulkWriter& writer);

  // Hands the changes to the writer, in their order.
  [[nodiscard]] Result<void> Replay(const client::ChangeBatch& batch);

  // When the newest change so far was made, by the source's clock.
  [[nodiscard]] std::int64_t newest_ms() const { return newest_ms_; }

 private:
  Result<void> ReadAgain(std::string_view table, const std::vector<std::string>& keys);

  const client::CallFunction source_;
  const KeyNames key_;
  const client::Patience patience_;
  BulkWriter& writer_;
  std::int64_t newest_ms_ = 0;
};

}  // namespace taula::transfer
