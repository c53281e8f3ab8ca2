// Group commit: decided mutations queue up, and one leader at a time writes all
// that has come together as one group. While it waits for the disk the next
// group gathers, so the cost of a sync is shared by all who write meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "storage/rocksdb/group_writer.h"
#include "storage/rocksdb/pending_writes.h"
#include "storage/rocksdb/rocksdb_store.h"

namespace taula::storage {

class CommitQueue {
 public:
  // With Durability::kSync a thread of the queue's own leads. Otherwise whoever
  // calls Lead does, for a while, and the thread when more keeps coming.
  // Recovery, which waits for the disk, is always the thread's.
  CommitQueue(const RocksDbOptions& options, GroupWriter& writer, PendingWrites& pending_writes);
  // Commits what is queued, ends it and refuses the rest.
  ~CommitQueue();

  // Waits for room. False when no mutation can be taken: the store is closing
  // or cannot write.
  bool Admit();

  // Names the time between two failures. Everything queued or decided in one
  // epoch may build on each other; a failure ends the epoch.
  [[nodiscard]] std::uint64_t epoch() const { return epoch_.load(std::memory_order_acquire); }

  // Queues a mutation, unless its epoch, read after its stripes were locked,
  // is over or the store is closing: then it stays with the caller. The caller
  // holds the stripes, so that the queue's order is the order of decisions.
  bool Push(std::unique_ptr<PendingMutation>& pending, std::uint64_t epoch);

  // Commits what is queued, or leaves it to whoever is at it. To be called
  // after Push, once the stripes are free.
  void Lead();

  // To be called when anything but a group could not be written, so that the
  // queue sees to the recovery.
  void NoteFailure();

 private:
  using Group = std::vector<std::unique_ptr<PendingMutation>>;
  using Lock = std::unique_lock<std::mutex>;

  void RunThread();
  // Waits until nobody leads and the thread has something to do.
  void AwaitWork(Lock& lock);
  void LeadGroups(Lock& lock, std::size_t groups_max);
  void Recover(Lock& lock);
  // To be called inside the lock.
  void BeginFailure();
  Group TakeGroup();
  void CommitGroup(Group group);
  void FailGroup(Group group, Commit outcome);
  static void End(Group group);
  void ReturnRoom(std::size_t bytes, std::size_t mutations);
  [[nodiscard]] bool HasRoom() const;

  const std::size_t bytes_max_;
  const std::size_t mutations_max_;
  const bool callers_lead_;
  GroupWriter& writer_;
  PendingWrites& pending_writes_;

  std::mutex mutex_;
  std::condition_variable work_;  // for the queue's own thread
  std::condition_variable room_;
  std::deque<std::unique_ptr<PendingMutation>> queue_;
  bool leading_ = false;
  bool closing_ = false;
  std::chrono::steady_clock::time_point next_recovery_;
  // Grows with every failure until a group has been written again.
  std::chrono::milliseconds recovery_pause_;

  // Written inside the lock, also read outside.
  std::atomic<bool> failed_ = false;
  std::atomic<std::uint64_t> epoch_ = 0;
  // Everything taken and not ended, the group being committed included.
  std::atomic<std::size_t> bytes_ = 0;
  std::atomic<std::size_t> mutations_ = 0;

  std::thread thread_;
};

}  // namespace taula::storage
