// Writing one item: what is asked for, what comes of it, and the step from the
// old item to the new one that every kind of write shares.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "catalog/table.h"
#include "engine/write_watch.h"
#include "expression/condition.h"
#include "expression/update.h"
#include "storage/store.h"
#include "taula/capacity.h"
#include "taula/error.h"
#include "taula/requests.h"

namespace taula::engine {

enum class WriteKind { kPut, kDelete, kUpdate, kConditionCheck };

struct WriteAction {
  WriteKind kind = WriteKind::kPut;
  catalog::TablePtr table;
  Item item;  // the whole item for kPut, its key for the others
  std::optional<expression::Condition> condition;
  std::optional<expression::Update> update;  // for kUpdate; without one the item is only made sure to exist
  ReturnValues return_values = ReturnValues::kNone;
  ReturnOnConditionFailure return_on_condition_failure = ReturnOnConditionFailure::kNone;
  // Whether to tell the size of the item collection afterwards; only tables
  // with local indexes have one.
  bool report_collection_size = false;
  // Deletes only what the time to live lets go by this second, and says so in
  // the table's stream; see expiry.h.
  std::optional<std::int64_t> expired_by_s;
  // What was found wrong with this action alone; inside a transaction it
  // becomes the action's cancellation reason.
  std::optional<Error> invalid;
};

struct WriteOutcome {
  std::optional<Item> attributes;  // as return_values asks
  ConsumedCapacity capacity;
  // The size of the item collection after the write, when it was asked for.
  std::optional<std::uint64_t> collection_bytes;
};

using WriteDone = std::move_only_function<void(Result<WriteOutcome>)>;

// Writes one item. `done` is called once, from any thread.
void WriteItem(storage::Store& store, const base::Clock& clock, WriteAction action, WriteDone done,
               WriteWatch watch = {});

// The keys of what an action will probably claim. Others that it turns out to
// need cost another run.
[[nodiscard]] std::vector<storage::Key> LikelyClaims(const WriteAction& action);

// What a client is told when the store could not carry out a write.
[[nodiscard]] Error StoreFailure(storage::Commit commit);

// The collection size that the action's item belongs to, when the action asks
// for it.
[[nodiscard]] std::optional<std::uint64_t> CollectionBytes(const storage::Reader& reader, const WriteAction& action);

}  // namespace taula::engine
