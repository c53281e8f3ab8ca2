// The store: an ordered map from keys to values with atomic, one-shot
// transactions. Everything above this folder sees only this interface, so that
// a database runs on RocksDB, in memory or on many machines alike.
//
// DynamoDB's operations name all their keys up front, so no interactive
// transaction is needed: a Mutation says which keys it reads, is shown their
// values, and decides what to write.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "base/key_range.h"
#include "storage/batch.h"

namespace taula::storage {

// Keys that begin with 'V' are the stores' own.
using Key = std::string;

// How a mutation ended.
enum class Commit {
  kOk,           // applied, and as durable as the store promises
  kAborted,      // Decide said no; nothing was written
  kConflict,     // an exclusive mutation on one of its keys was in flight; nothing was written
  kUnknown,      // the store failed on the way: it may or may not be applied
  kUnavailable,  // the store cannot write (disk full, shutting down); nothing was written
};

enum class Status { kOk, kUnavailable, kCorrupt };

// One atomic read-decide-write step.
class Mutation {
 public:
  virtual ~Mutation() = default;

  // The keys whose values Decide is shown, in this order. A key that any
  // mutation reads may be written only by mutations that read it too; keys
  // nobody decides on (index entries) may be written without being read.
  [[nodiscard]] virtual std::span<const Key> reads() const = 0;

  // An exclusive mutation holds its keys until it is durable: another mutation
  // that reads one of them meanwhile ends with kConflict. Mutations that are
  // not exclusive wait for each other instead.
  [[nodiscard]] virtual bool exclusive() const { return false; }

  // Decides on the current values, nothing for a key that is absent. Returns
  // false to abort. Must not block, and may run again with other values and a
  // fresh batch.
  virtual bool Decide(std::span<const std::optional<std::string_view>> values, Batch& batch) = 0;

  // Called before Done(kConflict) for each of its reads that is held by an
  // exclusive mutation, by its place in reads().
  virtual void Conflicts(std::size_t /*read*/) {}

  // Called once, last, also for a mutation that failed: on the thread that
  // brought it if that has a home (base/home.h), which must be gone before the
  // store is, and from any thread otherwise. Must not block.
  virtual void Done(Commit commit) = 0;
};

using Range = base::KeyRange;

struct ScanOptions {
  bool reverse = false;
  // Ends after this many; 0: no bound. Who knows how much it takes should say so,
  // for a store may fetch ahead and remember.
  std::size_t items_max = 0;
};

// Looks at one state of the store.
class Reader {
 public:
  virtual ~Reader() = default;

  // Calls `found` with the value, which is valid during the call, or not at
  // all when the key is absent.
  virtual Status Get(std::string_view key, base::FunctionRef<void(std::string_view value)> found) const = 0;

  // Calls `visit` for each key in order (or against it) until it returns false.
  // All that one call sees is one state.
  virtual Status Scan(const Range& range, const ScanOptions& options,
                      base::FunctionRef<bool(std::string_view key, std::string_view value)> visit) const = 0;
};

class Store : public Reader {
 public:
  // A state that stays as it is while the reader lives, which must end before
  // the store does. Cheap, but what it sees cannot be freed meanwhile.
  [[nodiscard]] virtual std::unique_ptr<Reader> Snapshot() const = 0;

  // Takes the mutation, runs it and calls Done, possibly before returning.
  // Decide runs on the calling thread. Whoever learns anything from a mutation
  // (that it is applied, or what its Decide was shown) learns it from Done, and
  // by then it is durable. May be called from Done; may wait while too many
  // mutations are on their way, but not for its own.
  virtual void Mutate(std::unique_ptr<Mutation> mutation) = 0;

  // Removes a range that nobody reads or writes any more, from snapshots too.
  // Not atomic with mutations; durable once it returns.
  virtual Status EraseRange(const Range& range) = 0;

  // Whatever has been logged (Batch::Log) and can be seen has a position up to
  // this one; whatever is seen later for the first time has a greater one.
  [[nodiscard]] virtual std::uint64_t LastPosition() const = 0;

  // What a range takes on the disk, roughly.
  [[nodiscard]] virtual std::uint64_t ApproximateBytes(const Range& range) const = 0;

  // States that are kept under a name (letters, digits and dashes) for as long as
  // the store's data, with everything that was acknowledged before. Making one is
  // cheap, for it shares with the present what has not changed since.
  virtual Status SaveState(const std::string& name) = 0;
  // Nothing when there is none or it cannot be read; the log says which. Several
  // may be open, and none longer than the store.
  [[nodiscard]] virtual std::unique_ptr<Reader> OpenState(const std::string& name) const = 0;
  // Also when there is none. Not while it is open.
  virtual Status DropState(const std::string& name) = 0;

  // A store of its own that begins with everything that was acknowledged here
  // before, saved states included; from then on neither sees what the other
  // writes. As cheap as a saved state, and gone for good when it is closed. May
  // outlive this store. Nothing when it cannot be made; the log says why.
  [[nodiscard]] virtual std::unique_ptr<Store> Fork() const = 0;

  // Brings everything that was acknowledged to the disk, whatever the
  // durability asked for.
  virtual Status Flush() = 0;
};

// Runs a mutation made of two functions and waits for its end: for what is
// rare and may block, such as changes of the catalog.
Commit MutateAndWait(Store& store, std::span<const Key> reads,
                     base::FunctionRef<bool(std::span<const std::optional<std::string_view>>, Batch&)> decide);

}  // namespace taula::storage
