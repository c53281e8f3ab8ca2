// Writes that are decided but not yet durable. Mutations decide on these
// values, so that they follow each other without waiting for the disk; readers
// never see them.
#pragma once

#include <array>
#include <atomic>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/home.h"
#include "storage/striped_locks.h"

namespace taula::storage {

// One write of a mutation but for what it adds to counters; its bytes are those of
// the mutation's batch.
struct PendingWrite {
  Batch::Op op;
  // Whether the mutation decides on the key, and whether the key had a value then.
  bool is_read = false;
  bool had_value = false;
  HashedKey key;
  std::string_view value;
  // What the read cache knows it by while it is written.
  std::uint64_t number = 0;
};

// What a mutation adds to a counter, mostly all of it; unsigned, so that it wraps.
struct PendingSum {
  std::string_view key;
  std::uint64_t delta;
};

// A mutation on its way from its decision to its end, which comes on the thread
// that brought it if that has a home.
struct PendingMutation final : base::Home::Traveller {
  explicit PendingMutation(std::unique_ptr<Mutation> taken) : mutation(std::move(taken)), keys(mutation->reads()) {}

  // Lists what is in the batch, which does not change any more. `values` are
  // those that were decided on.
  void ListWrites(std::span<const std::optional<std::string_view>> values);
  void AddToSum(std::string_view counter, std::uint64_t delta);

  void Arrive(std::unique_ptr<Traveller> /*self*/) override { mutation->Done(outcome); }

  std::unique_ptr<Mutation> mutation;
  KeyHashes keys;
  Batch batch;
  boost::container::small_vector<PendingWrite, 4> writes;
  boost::container::small_vector<PendingSum, 4> sums;
  // Names its entries in PendingWrites; zero while it has none.
  std::uint64_t ticket = 0;
  // How it ends, if everything it waits for becomes durable.
  Commit outcome = Commit::kOk;
};

class PendingWrites {
 public:
  struct Entry {
    std::uint64_t hash;
    std::string key;
    // The newest write of the key, nothing for a deletion, and whose it is
    // (zero: nobody's). The bytes are those of the mutation's batch.
    std::optional<std::string_view> value;
    std::uint64_t write_ticket = 0;
    // The exclusive mutation that holds the key (zero: none).
    std::uint64_t exclusive_ticket = 0;
  };

  [[nodiscard]] StripedLocks& locks() { return locks_; }

  // The entry of a key whose stripe the caller holds; nullptr if there is none.
  [[nodiscard]] const Entry* Find(const HashedKey& key) const;

  // Enters what the mutation writes of what it reads and, if it is exclusive,
  // everything it reads. The caller holds its stripes, and the mutation must
  // Leave before it is destroyed.
  void Enter(PendingMutation& pending);

  // Takes out what the mutation entered and no later one has replaced.
  void Leave(const PendingMutation& pending);                // takes the stripes' locks
  void LeaveHoldingStripes(const PendingMutation& pending);  // the caller holds them

 private:
  using Stripe = std::vector<Entry>;  // few at any time: a scan beats a hash table

  Entry& FindOrAdd(const HashedKey& key);
  void Remove(const HashedKey& key, std::uint64_t ticket);

  StripedLocks locks_;
  std::array<Stripe, StripedLocks::kStripes> stripes_;
  std::atomic<std::uint64_t> last_ticket_ = 0;
};

}  // namespace taula::storage
