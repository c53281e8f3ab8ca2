#include "storage/rocksdb/pending_writes.h"

#include <algorithm>

#include "base/bytes.h"

namespace taula::storage {
namespace {

constexpr std::size_t kSumsCompared = 8;

template <typename Stripe>
auto FindIn(Stripe& stripe, const HashedKey& key) {
  return std::ranges::find_if(stripe,
                              [&](const auto& entry) { return entry.hash == key.hash && entry.key == key.key; });
}

}  // namespace

void PendingMutation::ListWrites(std::span<const std::optional<std::string_view>> values) {
  const std::span<const Key> reads = mutation->reads();
  batch.ForEach([&](Batch::Op op, std::string_view key, std::string_view value) {
    if (op == Batch::Op::kAdd) {
      AddToSum(key, base::ReadU64(value.data()));
      return;
    }
    PendingWrite write{.op = op, .key = HashedKey(key), .value = value};
    if (op == Batch::Op::kPut || op == Batch::Op::kDelete) {
      if (const std::optional<std::uint32_t> position = keys.Find(reads, write.key)) {
        write.is_read = true;
        write.had_value = values[*position].has_value();
      }
    }
    writes.push_back(write);
  });
}

// A transaction adds to the same few counters, those of tables, with each of its
// actions. Who has many has one for each partition besides, which do not repeat.
void PendingMutation::AddToSum(std::string_view counter, std::uint64_t delta) {
  const auto end = sums.begin() + static_cast<std::ptrdiff_t>(std::min(sums.size(), kSumsCompared));
  const auto found = std::find_if(sums.begin(), end, [&](const PendingSum& sum) { return sum.key == counter; });
  if (found == end) {
    sums.push_back({counter, delta});
  } else {
    found->delta += delta;
  }
}

const PendingWrites::Entry* PendingWrites::Find(const HashedKey& key) const {
  const Stripe& stripe = stripes_[StripedLocks::StripeOf(key.hash)];
  const auto found = FindIn(stripe, key);
  return found == stripe.end() ? nullptr : &*found;
}

PendingWrites::Entry& PendingWrites::FindOrAdd(const HashedKey& key) {
  Stripe& stripe = stripes_[StripedLocks::StripeOf(key.hash)];
  const auto found = FindIn(stripe, key);
  if (found != stripe.end()) return *found;
  return stripe.emplace_back(Entry{.hash = key.hash, .key = std::string(key.key), .value = std::nullopt});
}

void PendingWrites::Enter(PendingMutation& pending) {
  pending.ticket = last_ticket_.fetch_add(1, std::memory_order_relaxed) + 1;
  for (const PendingWrite& write : pending.writes) {
    if (!write.is_read) continue;
    Entry& entry = FindOrAdd(write.key);
    entry.value = write.op == Batch::Op::kPut ? std::optional(write.value) : std::nullopt;
    entry.write_ticket = pending.ticket;
  }
  if (!pending.mutation->exclusive()) return;
  const std::span<const Key> reads = pending.mutation->reads();
  for (const auto& [hash, position] : pending.keys.items()) {
    FindOrAdd({reads[position], hash}).exclusive_ticket = pending.ticket;
  }
}

void PendingWrites::Leave(const PendingMutation& pending) {
  if (pending.ticket == 0) return;
  const std::span<const Key> reads = pending.mutation->reads();
  for (const auto& [hash, position] : pending.keys.items()) {
    const std::lock_guard lock(locks_.Stripe(hash));
    Remove({reads[position], hash}, pending.ticket);
  }
}

void PendingWrites::LeaveHoldingStripes(const PendingMutation& pending) {
  const std::span<const Key> reads = pending.mutation->reads();
  for (const auto& [hash, position] : pending.keys.items()) Remove({reads[position], hash}, pending.ticket);
}

void PendingWrites::Remove(const HashedKey& key, std::uint64_t ticket) {
  Stripe& stripe = stripes_[StripedLocks::StripeOf(key.hash)];
  const auto found = FindIn(stripe, key);
  if (found == stripe.end()) return;
  if (found->write_ticket == ticket) found->write_ticket = 0;
  if (found->exclusive_ticket == ticket) found->exclusive_ticket = 0;
  if (found->write_ticket != 0 || found->exclusive_ticket != 0) return;
  if (found != stripe.end() - 1) *found = std::move(stripe.back());
  stripe.pop_back();
}

}  // namespace taula::storage
