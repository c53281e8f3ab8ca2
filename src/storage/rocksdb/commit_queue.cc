#include "storage/rocksdb/commit_queue.h"

#include <iterator>
#include <utility>

namespace taula::storage {
namespace {

// Bounds how long the first of a group waits for the last of it.
constexpr std::size_t kGroupBytesMax = std::size_t{4} << 20;
constexpr auto kRecoveryPause = std::chrono::milliseconds(100);
// For the mutation itself, its keys and its place in the queue.
constexpr std::size_t kMutationBytes = 256;

// The queue whose leader this thread is. Its Done calls run on this thread, and
// a mutation made in one of them must not wait for room.
thread_local const CommitQueue* led_by_this_thread = nullptr;

std::size_t SizeOf(const PendingMutation& pending) { return pending.batch.bytes() + kMutationBytes; }

}  // namespace

CommitQueue::CommitQueue(const RocksDbOptions& options, GroupWriter& writer, PendingWrites& pending_writes)
    : bytes_max_(options.queue_bytes_max),
      mutations_max_(options.queue_mutations_max),
      writer_(writer),
      pending_writes_(pending_writes) {
  if (options.durability == Durability::kSync) {
    leading_ = true;  // for good: Lead has nothing to do
    thread_ = std::thread(&CommitQueue::RunThread, this);
  }
}

CommitQueue::~CommitQueue() {
  Lock lock(mutex_);
  closing_ = true;
  work_.notify_one();
  room_.notify_all();
  if (thread_.joinable()) {
    lock.unlock();
    thread_.join();
    return;
  }
  idle_.wait(lock, [this] { return !leading_; });
  LeadUntilEmpty(lock);
}

bool CommitQueue::HasRoom() const {
  return bytes_.load(std::memory_order_relaxed) < bytes_max_ &&
         mutations_.load(std::memory_order_relaxed) < mutations_max_;
}

bool CommitQueue::Admit() {
  const bool failed = failed_.load(std::memory_order_acquire);
  if (!failed && (HasRoom() || led_by_this_thread == this)) return true;
  Lock lock(mutex_);
  if (failed_) {
    if (closing_ || std::chrono::steady_clock::now() < next_recovery_) return false;
    if (thread_.joinable()) {
      recovery_wanted_ = true;
      work_.notify_one();
      return false;
    }
    if (leading_) return false;
    Recover(lock);
    return !failed_;
  }
  room_.wait(lock, [this] { return closing_ || failed_ || HasRoom(); });
  return !closing_ && !failed_;
}

bool CommitQueue::Push(std::unique_ptr<PendingMutation>& pending, std::uint64_t epoch) {
  const std::lock_guard lock(mutex_);
  if (closing_ || failed_ || epoch != epoch_) return false;
  bytes_ += SizeOf(*pending);
  ++mutations_;
  queue_.push_back(std::move(pending));
  if (queue_.size() == 1 && thread_.joinable()) work_.notify_one();
  return true;
}

void CommitQueue::Lead() {
  Lock lock(mutex_);
  if (!leading_) LeadUntilEmpty(lock);
}

void CommitQueue::RunThread() {
  led_by_this_thread = this;
  Lock lock(mutex_);
  while (true) {
    work_.wait(lock, [this] { return closing_ || recovery_wanted_ || !queue_.empty(); });
    if (recovery_wanted_ && !closing_) Recover(lock);
    if (queue_.empty() && closing_) return;
    LeadUntilEmpty(lock);
  }
}

void CommitQueue::LeadUntilEmpty(Lock& lock) {
  const bool was_leading = std::exchange(leading_, true);
  const CommitQueue* const led_before = std::exchange(led_by_this_thread, this);
  while (!queue_.empty()) {
    Group group = TakeGroup();
    lock.unlock();
    CommitGroup(std::move(group));
    lock.lock();
  }
  led_by_this_thread = led_before;
  leading_ = was_leading;
  if (!leading_) idle_.notify_all();
}

void CommitQueue::Recover(Lock& lock) {
  const bool was_leading = std::exchange(leading_, true);
  lock.unlock();
  const bool recovered = writer_.Recover();
  lock.lock();
  recovery_wanted_ = false;
  if (recovered) failed_ = false;
  next_recovery_ = std::chrono::steady_clock::now() + kRecoveryPause;
  leading_ = was_leading;
  if (!leading_) idle_.notify_all();
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
  for (auto& pending : group) {
    pending->mutation->Done(pending->outcome);
    pending.reset();
  }
}

// Everything queued may have been decided on top of the group, so it fails too;
// and so does what is being decided right now, by the end of the epoch. The
// queue takes nothing before all their entries are gone from the pending
// writes, because only this thread can end the failure.
void CommitQueue::FailGroup(Group group, Commit outcome) {
  const std::size_t written = group.size();
  {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    ++epoch_;
    next_recovery_ = std::chrono::steady_clock::now() + kRecoveryPause;
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
    group[i]->mutation->Done(may_be_written ? outcome : Commit::kUnavailable);
    group[i].reset();
  }
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
