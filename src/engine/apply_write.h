// From the item as it is to the item as it shall be: the one step that single
// writes, batches and transactions share. Everything that has to change with
// the item (index entries, counters) goes into the same batch.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "engine/claims.h"
#include "engine/write.h"
#include "storage/batch.h"

namespace taula::engine {

struct WriteContext {
  std::string_view key;  // the item's key in the store
  // 2 inside a transaction; applies to the table's own part only.
  double table_factor = 1;
  // The size of the item collection before the write, on tables with local
  // indexes.
  std::int64_t collection_bytes = 0;
  // For tables with rules, a stream or a history: the time.
  std::int64_t now_ms = 0;
  // For tables with rules: where claims go, and the action's place among those
  // that share it.
  ClaimChanges* claims = nullptr;
  std::size_t action = 0;
};

struct AppliedWrite {
  WriteOutcome outcome;
  std::size_t image_bytes = 0;  // the larger of the item before and after
};

// `stored` is the item as the store has it, nothing when there is none. Appends
// to the batch and never takes back: after an error the batch is of no use.
[[nodiscard]] Result<AppliedWrite> ApplyWrite(const WriteAction& action, const WriteContext& context,
                                              std::optional<std::string_view> stored, storage::Batch& batch);

}  // namespace taula::engine
