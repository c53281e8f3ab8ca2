#include "storage/rocksdb/pending_writes.h"

#include <algorithm>

namespace taula::storage {
namespace {

template <typename Stripe>
auto FindIn(Stripe& stripe, std::uint64_t hash, std::string_view key) {
  return std::ranges::find_if(stripe, [&](const auto& entry) { return entry.hash == hash && entry.key == key; });
}

}  // namespace

const PendingWrites::Entry* PendingWrites::Find(std::uint64_t hash, std::string_view key) const {
  const Stripe& stripe = stripes_[StripedLocks::StripeOf(hash)];
  const auto found = FindIn(stripe, hash, key);
  return found == stripe.end() ? nullptr : &*found;
}

PendingWrites::Entry& PendingWrites::FindOrAdd(std::uint64_t hash, std::string_view key) {
  Stripe& stripe = stripes_[StripedLocks::StripeOf(hash)];
  const auto found = FindIn(stripe, hash, key);
  if (found != stripe.end()) return *found;
  return stripe.emplace_back(Entry{.hash = hash, .key = std::string(key), .value = std::nullopt});
}

void PendingWrites::Enter(PendingMutation& pending) {
  pending.ticket = last_ticket_.fetch_add(1, std::memory_order_relaxed) + 1;
  const std::span<const Key> reads = pending.mutation->reads();
  pending.batch.ForEach([&](Batch::Op op, std::string_view key, std::string_view value) {
    if (op == Batch::Op::kAdd) return;
    const std::uint64_t hash = HashKey(key);
    if (!pending.keys.Contains(reads, hash, key)) return;
    Entry& entry = FindOrAdd(hash, key);
    entry.value = op == Batch::Op::kPut ? std::optional(value) : std::nullopt;
    entry.write_ticket = pending.ticket;
  });
  if (!pending.mutation->exclusive()) return;
  for (const KeyHashes::Item& item : pending.keys.items()) {
    FindOrAdd(item.hash, reads[item.position]).exclusive_ticket = pending.ticket;
  }
}

void PendingWrites::Leave(const PendingMutation& pending) {
  if (pending.ticket == 0) return;
  const std::span<const Key> reads = pending.mutation->reads();
  for (const KeyHashes::Item& item : pending.keys.items()) {
    const std::lock_guard lock(locks_.Stripe(item.hash));
    Remove(item.hash, reads[item.position], pending.ticket);
  }
}

void PendingWrites::LeaveHoldingStripes(const PendingMutation& pending) {
  const std::span<const Key> reads = pending.mutation->reads();
  for (const KeyHashes::Item& item : pending.keys.items()) Remove(item.hash, reads[item.position], pending.ticket);
}

void PendingWrites::Remove(std::uint64_t hash, std::string_view key, std::uint64_t ticket) {
  Stripe& stripe = stripes_[StripedLocks::StripeOf(hash)];
  const auto found = FindIn(stripe, hash, key);
  if (found == stripe.end()) return;
  if (found->write_ticket == ticket) found->write_ticket = 0;
  if (found->exclusive_ticket == ticket) found->exclusive_ticket = 0;
  if (found->write_ticket != 0 || found->exclusive_ticket != 0) return;
  if (found != stripe.end() - 1) *found = std::move(stripe.back());
  stripe.pop_back();
}

}  // namespace taula::storage
