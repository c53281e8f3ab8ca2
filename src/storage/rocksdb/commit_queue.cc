#include "storage/rocksdb/commit_queue.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace taula::storage {
namespace {

// Bounds how long the first of a group waits for the last of it.
constexpr std::size_t kGroupBytesMax = std::size_t{4} << 20;
constexpr auto kRecoveryPauseMin = std::chrono::milliseconds(100);
constexpr auto kRecoveryPauseMax = std::chrono::milliseconds(1600);
// A caller has other requests to see to: it commits its own mutation and what
// came meanwhile.
constexpr std::size_t kCallersGroupsMax = 2;
// For the mutation itself, its keys and its place in the queue.
constexpr std::size_t kMutationBytes = 256;

// The queue whose leader this thread is. Mutations without a home end on this
// thread, and one that is made there must not wait for room.
thread_local const CommitQueue* led_by_this_thread = nullptr;

std::size_t SizeOf(const PendingMutation& pending) { return pending.batch.bytes() + kMutationBytes; }

}  // namespace

CommitQueue::CommitQueue(const RocksDbOptions& options, GroupWriter& writer, PendingWrites& pending_writes)
    : bytes_max_(options.queue_bytes_max),
      mutations_max_(options.queue_mutations_max),
      callers_lead_(options.durability != Durability::kSync),
      writer_(writer),
      pending_writes_(pending_writes),
      recovery_pause_(kRecoveryPauseMin),
      thread_(&CommitQueue::RunThread, this) {}

CommitQueue::~CommitQueue() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    work_.notify_one();
    room_.notify_all();
  }
  thread_.join();
}

bool CommitQueue::HasRoom() const {
  return bytes_.load(std::memory_order_relaxed) < bytes_max_ &&
         mutations_.load(std::memory_order_relaxed) < mutations_max_;
}

bool CommitQueue::Admit() {
  const bool failed = failed_.load(std::memory_order_acquire);
  if (!failed && (HasRoom() || led_by_this_thread == this)) return true;
  Lock lock(mutex_);
  room_.wait(lock, [this] { return closing_ || failed_ || HasRoom(); });
  return !closing_ && !failed_;
}

bool CommitQueue::Push(std::unique_ptr<PendingMutation>& pending, std::uint64_t epoch) {
  const std::lock_guard lock(mutex_);
  if (closing_ || failed_ || epoch != epoch_) return false;
  bytes_ += SizeOf(*pending);
  ++mutations_;
  queue_.push_back(std::move(pending));
  if (queue_.size() == 1 && !callers_lead_) work_.notify_one();
  return true;
}

void CommitQueue::Lead() {
  if (!callers_lead_) return;
  Lock lock(mutex_);
  if (leading_) return;
  LeadGroups(lock, kCallersGroupsMax);
  if (!queue_.empty() || failed_ || closing_) work_.notify_one();
}

void CommitQueue::NoteFailure() {
  const std::lock_guard lock(mutex_);
  // A recovery may have come in between.
  if (failed_ || !writer_.failed()) return;
  BeginFailure();
  work_.notify_one();
  room_.notify_all();
}

void CommitQueue::BeginFailure() {
  failed_ = true;
  next_recovery_ = std::chrono::steady_clock::now() + recovery_pause_;
  recovery_pause_ = std::min(2 * recovery_pause_, kRecoveryPauseMax);
}

void CommitQueue::RunThread() {
  Lock lock(mutex_);
  while (true) {
    AwaitWork(lock);
    if (!queue_.empty()) {
      LeadGroups(lock, std::numeric_limits<std::size_t>::max());
    } else if (closing_) {
      return;
    } else {
      Recover(lock);
    }
  }
}

void CommitQueue::AwaitWork(Lock& lock) {
  while (true) {
    if (leading_) {
      work_.wait(lock);
    } else if (!queue_.empty() || closing_) {
      return;
    } else if (!failed_) {
      work_.wait(lock);
    } else if (std::chrono::steady_clock::now() >= next_recovery_) {
      return;
    } else {
      work_.wait_until(lock, next_recovery_);
    }
  }
}

void CommitQueue::LeadGroups(Lock& lock, std::size_t groups_max) {
  leading_ = true;
  const CommitQueue* const led_before = std::exchange(led_by_this_thread, this);
  for (std::size_t groups = 0; groups < groups_max && !queue_.empty(); ++groups) {
    Group group = TakeGroup();
    lock.unlock();
    CommitGroup(std::move(group));
    lock.lock();
    if (!failed_) recovery_pause_ = kRecoveryPauseMin;
  }
  led_by_this_thread = led_before;
  leading_ = false;
}

void CommitQueue::Recover(Lock& lock) {
  leading_ = true;
  lock.unlock();
  writer_.Recover();
  lock.lock();
  leading_ = false;
  if (writer_.failed()) {
    BeginFailure();
  } else {
    failed_ = false;
  }
}

CommitQueue::Group CommitQueue::TakeGroup() {
  Group group;
  std::size_t bytes = 0;
  while (!queue_.empty() && (group.empty() || bytes < kGroupBytesMax)) {
    bytes += SizeOf(*queue_.front());
    group.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return group;
}

void CommitQueue::CommitGroup(Group group) {
  const Commit written = writer_.WriteGroup(group);
  if (written != Commit::kOk) {
    FailGroup(std::move(group), written);
    return;
  }
  std::size_t bytes = 0;
  for (const auto& pending : group) {
    bytes += SizeOf(*pending);
    pending_writes_.Leave(*pending);
  }
  ReturnRoom(bytes, group.size());
  End(std::move(group));
}

void CommitQueue::End(Group group) {
  base::SendHome({std::move_iterator(group.begin()), std::move_iterator(group.end())});
}

// Everything queued may have been decided on top of the group, so it fails too;
// and so does what is being decided right now, by the end of the epoch. The
// queue takes nothing before all their entries are gone from the pending
// writes, because the failure does not end while someone leads.
void CommitQueue::FailGroup(Group group, Commit outcome) {
  const std::size_t written = group.size();
  {
    const std::lock_guard lock(mutex_);
    if (!failed_) BeginFailure();
    ++epoch_;
    std::ranges::move(queue_, std::back_inserter(group));
    queue_.clear();
  }
  std::size_t bytes = 0;
  for (const auto& pending : group) {
    bytes += SizeOf(*pending);
    pending_writes_.Leave(*pending);
  }
  ReturnRoom(bytes, group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    const bool may_be_written = i < written && !group[i]->batch.empty();
    group[i]->outcome = may_be_written ? outcome : Commit::kUnavailable;
  }
  End(std::move(group));
}

void CommitQueue::ReturnRoom(std::size_t bytes, std::size_t mutations) {
  {
    const std::lock_guard lock(mutex_);
    bytes_ -= bytes;
    mutations_ -= mutations;
  }
  room_.notify_all();
}

}  // namespace taula::storage
