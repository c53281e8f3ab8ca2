#include "storage/rocksdb/rocksdb_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/log.h"
#include "storage/rocksdb/checkpoint.h"
#include "storage/rocksdb/commit_queue.h"
#include "storage/rocksdb/folder.h"
#include "storage/rocksdb/fork_folder.h"
#include "storage/rocksdb/group_writer.h"
#include "storage/rocksdb/pending_writes.h"
#include "storage/rocksdb/range_compactor.h"
#include "storage/rocksdb/read_cache.h"
#include "storage/rocksdb/reads.h"
#include "storage/rocksdb/saved_states.h"

namespace taula::storage {
namespace {

// Ranges without an end have to be given one for RocksDB. No key of ours begins
// with FF.
const std::string kLastKey(16, '\xff');

// Of the memory that is given to the cache, what it may hold. The rest is lost
// between blocks and answers of many sizes that come and go.
constexpr std::size_t CacheCapacity(std::size_t bytes) { return bytes / 10 * 7; }

// What a fork remembers answers in. Its blocks are in the cache of the store that
// it began with, which has most of them already; its answers are its own.
constexpr std::size_t kForkAnswerBytes = std::size_t{4} << 20;

// The smaller of two ends of ranges.
const std::string& Smaller(const std::string& end, const std::string& other) {
  return end.empty() || other < end ? other : end;
}

// What a mutation is shown: pending writes first, then what is in RocksDB.
struct CurrentValues {
  explicit CurrentValues(std::size_t count) : values(count), stored(count) {}

  std::vector<std::optional<std::string_view>> values;
  std::vector<rocksdb::PinnableSlice> stored;  // what values from RocksDB refer to
  bool any_pending = false;
};

class RocksDbStore final : public Store {
 public:
  RocksDbStore(const RocksDbOptions& options, const std::shared_ptr<rocksdb::Cache>& cache,
               std::unique_ptr<rocksdb::DB> db)
      : RocksDbStore(options, ForksFolder(options.path), nullptr, cache, cache, std::move(db)) {}

  // A fork, whose folder goes with it.
  RocksDbStore(const RocksDbOptions& options, const std::string& forks_folder, std::unique_ptr<const ForkFolder> folder,
               const std::shared_ptr<rocksdb::Cache>& cache, const std::shared_ptr<rocksdb::Cache>& answer_cache,
               std::unique_ptr<rocksdb::DB> db)
      : options_(options),
        forks_folder_(forks_folder),
        fork_folder_(std::move(folder)),
        cache_(cache),
        db_(std::move(db)),
        states_(options, cache),
        read_cache_(answer_cache),
        writer_(*db_, read_cache_, options.durability == Durability::kSync),
        compactor_(*db_),
        queue_(std::in_place, options, writer_, pending_writes_) {}

  ~RocksDbStore() override {
    queue_.reset();
    if (fork_folder_ != nullptr) return;
    // Every acknowledged write is in the log already; with the memtable in a
    // file the next opening has nothing to replay.
    db_->Flush({}).PermitUncheckedError();
  }

  Status Get(std::string_view key, base::FunctionRef<void(std::string_view value)> found) const override {
    const ReadCache::Question question(read_cache_, HashedKey(key));
    if (read_cache_.Get(question, found)) return Status::kOk;
    return GetFrom(*db_, SingleRead(), key, [&](std::string_view value) {
      read_cache_.Keep(question, value);
      found(value);
    });
  }

  Status Scan(const Range& range, const ScanOptions& options,
              base::FunctionRef<bool(std::string_view key, std::string_view value)> visit) const override {
    if (!IsWithinOnePrefix(range)) return ScanFrom(*db_, nullptr, range, options, visit);
    const ReadCache::Question question(read_cache_, range, options);
    if (read_cache_.Scan(question, options.items_max, visit)) return Status::kOk;
    return ScanAndKeep(question, range, options, visit);
  }

  [[nodiscard]] std::unique_ptr<Reader> Snapshot() const override { return std::make_unique<RocksDbSnapshot>(*db_); }

  void Mutate(std::unique_ptr<Mutation> mutation) override {
    if (!queue_->Admit()) {
      mutation->Done(Commit::kUnavailable);
      return;
    }
    auto pending = std::make_unique<PendingMutation>(std::move(mutation));
    if (const std::optional<Commit> ended = DecideAndQueue(pending)) {
      pending->mutation->Done(*ended);
    } else {
      queue_->Lead();
    }
  }

  Status EraseRange(const Range& range) override;
  [[nodiscard]] std::uint64_t LastPosition() const override { return db_->GetLatestSequenceNumber(); }
  [[nodiscard]] std::uint64_t ApproximateBytes(const Range& range) const override;

  Status SaveState(const std::string& name) override { return states_.Save(*db_, name); }
  [[nodiscard]] std::unique_ptr<Reader> OpenState(const std::string& name) const override { return states_.Open(name); }
  Status DropState(const std::string& name) override { return states_.Drop(name); }

  [[nodiscard]] std::unique_ptr<Store> Fork() const override;

  Status Flush() override {
    const Status status = writer_.SyncLog();
    if (status != Status::kOk) queue_->NoteFailure();
    return status;
  }

 private:
  // The newest value of one key.
  [[nodiscard]] rocksdb::ReadOptions SingleRead() const {
    rocksdb::ReadOptions options;
    options.fill_cache = read_cache_.HasRoomForBlocks();
    return options;
  }
  Status ScanAndKeep(const ReadCache::Question& question, const Range& range, const ScanOptions& options,
                     base::FunctionRef<bool(std::string_view key, std::string_view value)> visit) const;
  std::optional<Commit> DecideAndQueue(std::unique_ptr<PendingMutation>& pending);
  bool Conflicts(const PendingMutation& pending);
  std::optional<Commit> ReadCurrent(const PendingMutation& pending, CurrentValues& current);

  const RocksDbOptions options_;
  const std::string forks_folder_;
  const std::unique_ptr<const ForkFolder> fork_folder_;  // of a fork
  const std::shared_ptr<rocksdb::Cache> cache_;
  std::unique_ptr<rocksdb::DB> db_;
  const SavedStates states_;
  // What has been asked before is remembered by those who ask.
  mutable ReadCache read_cache_;
  PendingWrites pending_writes_;
  GroupWriter writer_;
  RangeCompactor compactor_;
  // Optional only to be closed before everything else.
  std::optional<CommitQueue> queue_;
};

Status RocksDbStore::ScanAndKeep(const ReadCache::Question& question, const Range& range, const ScanOptions& options,
                                 base::FunctionRef<bool(std::string_view key, std::string_view value)> visit) const {
  ReadCache::Recording recording;
  bool wants_more = true;
  const Status status = ScanFrom(*db_, nullptr, range, options, [&](std::string_view key, std::string_view value) {
    recording.Add(key, value);
    wants_more = visit(key, value);
    return wants_more;
  });
  if (status != Status::kOk) return status;
  if (wants_more && (options.items_max == 0 || recording.count() < options.items_max)) recording.Complete();
  read_cache_.Keep(question, recording);
  return status;
}

// Nothing when the mutation is queued; otherwise how it ended, once its stripes
// are free again.
std::optional<Commit> RocksDbStore::DecideAndQueue(std::unique_ptr<PendingMutation>& pending) {
  const StripedLocks::Guard stripes(pending_writes_.locks(), pending->keys);
  const std::uint64_t epoch = queue_->epoch();
  CurrentValues current(pending->mutation->reads().size());
  if (const std::optional<Commit> ended = ReadCurrent(*pending, current)) return ended;

  const bool wanted = pending->mutation->Decide(current.values, pending->batch);
  pending->outcome = wanted ? Commit::kOk : Commit::kAborted;
  if (!wanted) pending->batch.Clear();
  // Who has seen a value that a power cut could still undo is answered only
  // after it is durable, also when nothing is to be written.
  if (pending->batch.empty() && !current.any_pending) return pending->outcome;

  if (!pending->batch.empty()) {
    pending->ListWrites(current.values);
    pending_writes_.Enter(*pending);
  }
  if (queue_->Push(pending, epoch)) return std::nullopt;
  pending_writes_.LeaveHoldingStripes(*pending);
  return Commit::kUnavailable;
}

bool RocksDbStore::Conflicts(const PendingMutation& pending) {
  bool any = false;
  for (const auto& [hash, position] : pending.keys.items()) {
    const PendingWrites::Entry* const entry = pending_writes_.Find({pending.mutation->reads()[position], hash});
    if (entry == nullptr || entry->exclusive_ticket == 0) continue;
    pending.mutation->Conflicts(position);
    any = true;
  }
  return any;
}

std::optional<Commit> RocksDbStore::ReadCurrent(const PendingMutation& pending, CurrentValues& current) {
  if (Conflicts(pending)) return Commit::kConflict;
  const std::span<const Key> reads = pending.mutation->reads();
  for (const auto& [hash, position] : pending.keys.items()) {
    const HashedKey key(reads[position], hash);
    const PendingWrites::Entry* const entry = pending_writes_.Find(key);
    if (entry != nullptr && entry->write_ticket != 0) {
      current.values[position] = entry->value;
      current.any_pending = true;
      continue;
    }
    rocksdb::PinnableSlice& stored = current.stored[position];
    const ReadCache::Question question(read_cache_, key);
    if (read_cache_.Get(question, [&](std::string_view value) { stored.PinSelf(value); })) {
      current.values[position] = stored.ToStringView();
      continue;
    }
    const rocksdb::Status status = db_->Get(SingleRead(), db_->DefaultColumnFamily(), reads[position], &stored);
    if (status.ok()) {
      current.values[position] = stored.ToStringView();
      read_cache_.Keep(question, stored.ToStringView());
    } else if (CheckRead(status) != Status::kOk) {
      return Commit::kUnavailable;
    }
  }
  return std::nullopt;
}

Status RocksDbStore::EraseRange(const Range& range) {
  // Around the store's own keys, which stay.
  const Range before{range.begin, Smaller(range.end, kOwnKeys.begin)};
  const Range after{std::max(range.begin, kOwnKeys.end), Smaller(range.end, kLastKey)};
  for (const Range& part : {before, after}) {
    if (part.begin >= part.end) continue;
    if (const Status status = writer_.EraseRange(part); status != Status::kOk) {
      queue_->NoteFailure();
      return status;
    }
    compactor_.Add(part);
  }
  return Status::kOk;
}

std::uint64_t RocksDbStore::ApproximateBytes(const Range& range) const {
  const std::string end = Smaller(range.end, kLastKey);
  const rocksdb::Range asked(range.begin, end);
  rocksdb::SizeApproximationOptions options;
  options.include_memtables = true;
  options.include_files = true;
  std::uint64_t bytes = 0;
  db_->GetApproximateSizes(options, db_->DefaultColumnFamily(), &asked, 1, &bytes).PermitUncheckedError();
  return bytes;
}

std::unique_ptr<Store> RocksDbStore::Fork() const {
  auto folder = std::make_unique<const ForkFolder>(forks_folder_);
  rocksdb::Status filled = folder->Fill(*db_);
  if (filled.ok()) filled = states_.LinkTo(folder->path());
  if (!filled.ok()) {
    base::Log(base::LogLevel::kError, "A fork cannot be made: {}", filled.ToString());
    return nullptr;
  }
  const RocksDbOptions options = ForkOptions(options_, folder->path());
  auto db = OpenFolder(options, cache_);
  if (!db) {
    base::Log(base::LogLevel::kError, "A fork cannot be opened: {}", db.error());
    return nullptr;
  }
  return std::make_unique<RocksDbStore>(options, forks_folder_, std::move(folder), cache_,
                                        rocksdb::NewLRUCache(kForkAnswerBytes), std::move(*db));
}

// Or else the folder would be its own parent.
std::string WithoutSlash(const std::filesystem::path& folder) {
  return (folder.has_filename() ? folder : folder.parent_path()).string();
}

}  // namespace

std::expected<std::unique_ptr<Store>, std::string> OpenRocksDb(const RocksDbOptions& options) {
  const std::shared_ptr<rocksdb::Cache> cache = rocksdb::NewLRUCache(CacheCapacity(options.cache_bytes));
  auto db = OpenFolder(options, cache);
  if (!db) return std::unexpected(std::move(db.error()));
  RemoveForks(options.path);
  RemoveUnfinishedStates(options.path);
  return std::make_unique<RocksDbStore>(options, cache, std::move(*db));
}

std::expected<void, std::string> CopyRocksDb(const std::string& from, const std::string& to) {
  std::error_code error;
  if (!std::filesystem::is_directory(from, error)) {
    return std::unexpected(fmt::format("there is no data folder {}", from));
  }
  // Opening it would make it one.
  if (!std::filesystem::exists(std::filesystem::path(from) / "CURRENT", error)) {
    return std::unexpected(fmt::format("{} is not a data folder", from));
  }
  if (std::filesystem::exists(to, error)) return std::unexpected(fmt::format("{} exists already", to));
  const RocksDbOptions options{.path = from};
  const auto cache = rocksdb::NewLRUCache(options.write_buffer_bytes);
  const auto db = OpenFolder(options, cache);
  if (!db) return std::unexpected(db.error());
  const std::string folder = WithoutSlash(std::filesystem::absolute(to, error).lexically_normal());
  rocksdb::Status made = MakeCheckpoint(**db, folder, "The copy");
  if (made.ok()) made = SavedStates(options, cache).LinkTo(folder);
  if (made.ok()) return {};
  // A copy that lacks something would look like a whole one.
  std::filesystem::remove_all(folder, error);
  return std::unexpected(fmt::format("{} cannot be written: {}", to, made.ToString()));
}

}  // namespace taula::storage
