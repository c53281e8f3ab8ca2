#include "storage/memory/memory_store.h"

#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "storage/memory/tree.h"
#include "storage/striped_locks.h"

namespace taula::storage {
namespace {

void VisitAll(const Tree& tree, const Range& range, const ScanOptions& options,
              base::FunctionRef<bool(std::string_view key, std::string_view value)> visit) {
  std::size_t visited = 0;
  tree.Scan(range, options.reverse, [&](const TreeEntry& entry) {
    return visit(entry.key(), entry.value()) && ++visited != options.items_max;
  });
}

class MemorySnapshot final : public Reader {
 public:
  explicit MemorySnapshot(Tree tree) : tree_(std::move(tree)) {}

  Status Get(std::string_view key, base::FunctionRef<void(std::string_view value)> found) const override {
    if (const EntryRef entry = tree_.Find(key)) found(entry->value());
    return Status::kOk;
  }

  Status Scan(const Range& range, const ScanOptions& options,
              base::FunctionRef<bool(std::string_view key, std::string_view value)> visit) const override {
    VisitAll(tree_, range, options, visit);
    return Status::kOk;
  }

 private:
  const Tree tree_;
};

// A lock that many threads take to read and few to write: each reading thread
// has a mutex of its own (or shares it with few others), a writer takes them
// all.
class ReadMostlyLock {
 public:
  ReadMostlyLock() : slots_(std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16)) {}

  [[nodiscard]] std::unique_lock<std::mutex> Read() {
    static std::atomic<std::size_t> threads = 0;
    thread_local const std::size_t thread = threads.fetch_add(1, std::memory_order_relaxed);
    return std::unique_lock(slots_[thread % slots_.size()].mutex);
  }

  // For std::lock_guard: the write side.
  void lock() {
    for (Slot& slot : slots_) slot.mutex.lock();
  }
  void unlock() {
    for (Slot& slot : slots_) slot.mutex.unlock();
  }

 private:
  struct alignas(64) Slot {
    std::mutex mutex;
  };
  std::vector<Slot> slots_;
};

class MemoryStore final : public Store {
 public:
  Status Get(std::string_view key, base::FunctionRef<void(std::string_view value)> found) const override {
    EntryRef entry;
    {
      const auto lock = lock_.Read();
      entry = tree_.Find(key);
    }
    if (entry) found(entry->value());
    return Status::kOk;
  }

  Status Scan(const Range& range, const ScanOptions& options,
              base::FunctionRef<bool(std::string_view key, std::string_view value)> visit) const override {
    VisitAll(CurrentTree(), range, options, visit);
    return Status::kOk;
  }

  [[nodiscard]] std::unique_ptr<Reader> Snapshot() const override {
    return std::make_unique<MemorySnapshot>(CurrentTree());
  }

  void Mutate(std::unique_ptr<Mutation> mutation) override {
    const std::span<const Key> reads = mutation->reads();
    const KeyHashes keys(reads);
    StripedLocks::Guard stripes(stripes_, keys);
    const std::vector<EntryRef> entries = FindAll(reads);
    std::vector<std::optional<std::string_view>> values(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i]) values[i] = entries[i]->value();
    }
    Batch batch;
    const bool wanted = mutation->Decide(values, batch);
    if (wanted) Apply(batch);
    stripes.Release();
    mutation->Done(wanted ? Commit::kOk : Commit::kAborted);
  }

  Status EraseRange(const Range& range) override {
    constexpr std::size_t kKeysAtOnce = 256;
    std::vector<EntryRef> erased;
    do {
      erased.clear();
      std::vector<Key> keys;
      const std::lock_guard lock(lock_);
      tree_.Scan(range, false, [&](const TreeEntry& entry) {
        keys.emplace_back(entry.key());
        return keys.size() < kKeysAtOnce;
      });
      for (const Key& key : keys) erased.push_back(tree_.Erase(key));
    } while (!erased.empty());
    return Status::kOk;
  }

  [[nodiscard]] std::uint64_t LastPosition() const override {
    const auto lock = lock_.Read();
    return last_position_;
  }

  [[nodiscard]] std::uint64_t ApproximateBytes(const Range& range) const override {
    std::uint64_t bytes = 0;
    CurrentTree().Scan(range, false, [&](const TreeEntry& entry) {
      bytes += entry.key().size() + entry.value().size();
      return true;
    });
    return bytes;
  }

  Status SaveState(const std::string& name) override {
    Tree current = CurrentTree();
    const std::lock_guard lock(states_mutex_);
    states_.insert_or_assign(name, std::move(current));
    return Status::kOk;
  }

  [[nodiscard]] std::unique_ptr<Reader> OpenState(const std::string& name) const override {
    const std::lock_guard lock(states_mutex_);
    const auto found = states_.find(name);
    return found == states_.end() ? nullptr : std::make_unique<MemorySnapshot>(found->second);
  }

  Status DropState(const std::string& name) override {
    const std::lock_guard lock(states_mutex_);
    states_.erase(name);
    return Status::kOk;
  }

  [[nodiscard]] std::unique_ptr<Store> Fork() const override {
    auto fork = std::make_unique<MemoryStore>();
    {
      const auto lock = lock_.Read();
      fork->tree_ = tree_;
      fork->last_position_ = last_position_;
    }
    const std::lock_guard lock(states_mutex_);
    fork->states_ = states_;
    return fork;
  }

  Status Flush() override { return Status::kOk; }

 private:
  struct Write {
    Batch::Op op;
    std::string_view key;
    std::string_view value;
    std::int64_t delta = 0;
    EntryRef entry;  // in: what a put writes; out: what was there before
  };

  [[nodiscard]] Tree CurrentTree() const {
    const auto lock = lock_.Read();
    return tree_;
  }

  [[nodiscard]] std::vector<EntryRef> FindAll(std::span<const Key> keys) const {
    std::vector<EntryRef> entries;
    entries.reserve(keys.size());
    const auto lock = lock_.Read();
    for (const Key& key : keys) entries.push_back(tree_.Find(key));
    return entries;
  }

  // Entries are made before the lock is taken, and freed after it is let go.
  void Apply(const Batch& batch) {
    std::vector<Write> writes;
    batch.ForEach([&](Batch::Op op, std::string_view key, std::string_view value) {
      Write write{op, key, value, 0, {}};
      if (op == Batch::Op::kPut) write.entry = EntryRef(key, value);
      if (op == Batch::Op::kAdd) write.delta = static_cast<std::int64_t>(base::ReadU64(value.data()));
      writes.push_back(std::move(write));
    });
    if (writes.empty()) return;
    const std::lock_guard lock(lock_);
    for (Write& write : writes) {
      switch (write.op) {
        case Batch::Op::kPut:
          write.entry = tree_.Put(std::move(write.entry));
          break;
        case Batch::Op::kDelete:
          write.entry = tree_.Erase(write.key);
          break;
        case Batch::Op::kAdd:
          write.entry = AddTo(write.key, write.delta);
          break;
        case Batch::Op::kLog:
          AppendToLog(write.key, write.value);
          break;
      }
    }
  }

  EntryRef AddTo(std::string_view key, std::int64_t delta) {
    const EntryRef before = tree_.Find(key);
    const std::uint64_t sum = (before ? base::ReadU64(before->value().data()) : 0) + static_cast<std::uint64_t>(delta);
    std::string value;
    base::AppendU64(value, sum);
    return tree_.Put(EntryRef(key, value));
  }

  void AppendToLog(std::string_view prefix, std::string_view value) {
    std::string key(prefix);
    base::AppendBigEndianU64(key, ++last_position_);
    tree_.Put(EntryRef(key, value));
  }

  StripedLocks stripes_;
  mutable ReadMostlyLock lock_;
  Tree tree_;
  std::uint64_t last_position_ = 0;
  mutable std::mutex states_mutex_;
  std::map<std::string, Tree> states_;
};

}  // namespace

std::unique_ptr<Store> MakeMemoryStore() { return std::make_unique<MemoryStore>(); }

}  // namespace taula::storage
