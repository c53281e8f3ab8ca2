#include "engine/backfill.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "codec/stored_item.h"
#include "engine/index_entries.h"
#include "engine/retry.h"
#include "engine/statistics.h"

namespace taula::engine {

namespace {

using Duration = std::chrono::steady_clock::duration;

// Small enough that a writer that meets one of the keys does not wait long.
constexpr std::size_t kStepItemsMax = 256;
constexpr std::size_t kStepBytesMax = 256 * 1024;
constexpr Duration kPauseMax = std::chrono::milliseconds(20);

struct IndexEntry {
  std::string key;
  std::string stored;
};

std::optional<IndexEntry> EntryOf(const catalog::Table& table, const catalog::Index& index, std::string_view stored) {
  const ValueView item = codec::StoredItemValue(stored);
  std::optional<std::string> key = IndexStoreKey(table, index, item);
  if (!key) return std::nullopt;
  IndexEntry entry{*std::move(key), {}};
  const std::string projected = ProjectItem(table, index, item);
  codec::AppendStoredItem(entry.stored, ValueView(projected.data()));
  return entry;
}

// A version of the table that has the index. Held through one step, like any
// writer does, so that the index's space is not erased meanwhile.
struct Target {
  catalog::TablePtr table;
  const catalog::Index* index = nullptr;
};

// Keys of items, each once, and for each what is to be decided about.
struct Step {
  std::vector<storage::Key> item_keys;
  std::vector<std::vector<std::string>> entry_keys;  // when entries are checked: those found for each item
  SpaceStatistics entries;                           // what the items are to have in the index
  bool last = true;
};

class Fill {
 public:
  Fill(storage::Store& store, catalog::Catalog& catalog, const FillTask& task, std::stop_token stop)
      : store_(store),
        catalog_(catalog),
        task_(task),
        stop_(std::move(stop)),
        retry_("Filling an index of table " + task.table_name, stop_) {}

  void Run() {
    if (!catalog_.WaitForReaders(task_.table_id, stop_)) return;
    do {
      snapshot_ = store_.Snapshot();
      in_snapshot_ = {};
      if (!CheckEntries() || !PutEntries()) return;
    } while (!CorrectStatistics() && !stopped());
    snapshot_.reset();
    Publish();
  }

 private:
  [[nodiscard]] bool stopped() const { return stop_.stop_requested(); }

  // Nothing when the index is gone.
  [[nodiscard]] std::optional<Target> Find() const {
    Target target{catalog_.Find(task_.table_name), nullptr};
    if (target.table == nullptr || target.table->id != task_.table_id) return std::nullopt;
    const auto found = std::ranges::find(target.table->indexes, task_.index_space, &catalog::Index::space);
    if (found == target.table->indexes.end()) return std::nullopt;
    target.index = &*found;
    return target;
  }

  // Deletes the snapshot's entries that are not their item's.
  bool CheckEntries() {
    const auto collect = [](const Target& target, std::string_view key, std::string_view stored, Step& step) {
      std::string item_key = ItemStoreKey(*target.table, codec::StoredItemValue(stored));
      const auto known = std::ranges::find(step.item_keys, item_key);
      const auto number = static_cast<std::size_t>(known - step.item_keys.begin());
      if (known == step.item_keys.end()) {
        step.item_keys.push_back(std::move(item_key));
        step.entry_keys.emplace_back();
      }
      step.entry_keys[number].emplace_back(key);
    };
    const auto decide = [](const Target& target, const Step& step, std::size_t i,
                           std::optional<std::string_view> stored, storage::Batch& batch) {
      std::optional<IndexEntry> entry;
      if (stored) entry = EntryOf(*target.table, *target.index, *stored);
      for (const std::string& key : step.entry_keys[i]) {
        if (!entry || entry->key != key) batch.Delete(key);
      }
    };
    return Walk(codec::SpaceRange(task_.index_space), collect, decide);
  }

  // Puts the entries of the snapshot's items as they are now.
  bool PutEntries() {
    const std::optional<Target> found = Find();
    if (!found) return false;
    const auto collect = [](const Target& target, std::string_view key, std::string_view stored, Step& step) {
      const std::optional<IndexEntry> entry = EntryOf(*target.table, *target.index, stored);
      if (!entry) return;
      step.item_keys.emplace_back(key);
      ++step.entries.items;
      step.entries.bytes += codec::StoredItemSize(entry->stored);
    };
    const auto decide = [](const Target& target, const Step&, std::size_t, std::optional<std::string_view> stored,
                           storage::Batch& batch) {
      if (!stored) return;
      const std::optional<IndexEntry> entry = EntryOf(*target.table, *target.index, *stored);
      if (entry) batch.Put(entry->key, entry->stored);
    };
    return Walk(codec::SpaceRange(found->table->space), collect, decide);
  }

  // Goes through a range of the snapshot in steps. False when the index is gone
  // or the work is stopped.
  template <typename Collect, typename Decide>
  bool Walk(storage::Range rest, Collect collect, Decide decide) {
    while (!stopped()) {
      const auto begin = std::chrono::steady_clock::now();
      std::optional<Target> target = Find();
      if (!target) return false;
      const std::optional<Step> step = ReadStep(*target, rest, collect);
      if (!step) {
        target.reset();
        retry_.Wait("the table cannot be read");
        continue;
      }
      const auto decide_step = [&](std::size_t i, std::optional<std::string_view> stored, storage::Batch& batch) {
        decide(*target, *step, i, stored, batch);
      };
      if (!Write(step->item_keys, 0, decide_step)) return false;
      in_snapshot_.items += step->entries.items;
      in_snapshot_.bytes += step->entries.bytes;
      if (step->last) return true;
      target.reset();
      std::this_thread::sleep_for(std::min(std::chrono::steady_clock::now() - begin, kPauseMax));
    }
    return false;
  }

  // Collects the next step and moves `rest` behind it.
  template <typename Collect>
  std::optional<Step> ReadStep(const Target& target, storage::Range& rest, Collect collect) {
    Step step;
    std::string last_key;
    std::size_t seen = 0;
    std::size_t bytes = 0;
    // One more than a step takes tells whether it is the last.
    const storage::Status status =
        snapshot_->Scan(rest, {.items_max = kStepItemsMax + 1}, [&](std::string_view key, std::string_view stored) {
          step.last = seen < kStepItemsMax && bytes < kStepBytesMax;
          if (!step.last) return false;
          ++seen;
          bytes += stored.size();
          last_key = key;
          collect(target, key, stored, step);
          return true;
        });
    if (status != storage::Status::kOk) return std::nullopt;
    if (!last_key.empty()) rest.begin = last_key + '\0';
    return step;
  }

  // Shows each item as it is now to decide(number, stored, batch) and writes
  // what that makes of them. False when stopped.
  template <typename Decide>
  bool Write(std::span<const storage::Key> keys, std::size_t first, const Decide& decide) {
    while (!keys.empty() && !stopped()) {
      const storage::Commit commit = storage::MutateAndWait(
          store_, keys, [&](std::span<const std::optional<std::string_view>> values, storage::Batch& batch) {
            for (std::size_t i = 0; i < values.size(); ++i) decide(first + i, values[i], batch);
            return true;
          });
      if (commit == storage::Commit::kOk) {
        retry_.Worked();
        return true;
      }
      if (commit != storage::Commit::kConflict) {
        retry_.Wait("the index cannot be written");
      } else if (keys.size() == 1) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      } else {
        // A transaction holds one of the keys: get the others out of its way.
        const std::size_t half = keys.size() / 2;
        if (!Write(keys.first(half), first, decide)) return false;
        keys = keys.subspan(half);
        first += half;
      }
    }
    return !stopped();
  }

  // False when it is not known whether it has been done: then all is to be
  // counted again.
  bool CorrectStatistics() {
    std::optional<SpaceStatistics> counted;
    while (!stopped()) {
      if (!counted) counted = TryReadStatistics(*snapshot_, task_.index_space);
      if (!counted) {
        retry_.Wait("the counters cannot be read");
        continue;
      }
      // Held so that the counters are not written behind their erasure.
      const std::optional<Target> target = Find();
      if (!target) return true;
      const storage::Commit commit = storage::MutateAndWait(
          store_, {}, [&](std::span<const std::optional<std::string_view>>, storage::Batch& batch) {
            AddStatistics(batch, task_.index_space, in_snapshot_.items - counted->items,
                          in_snapshot_.bytes - counted->bytes);
            return true;
          });
      if (commit == storage::Commit::kOk) return true;
      retry_.Wait("the counters cannot be written");
      if (commit == storage::Commit::kUnknown) return false;
    }
    return false;
  }

  void Publish() {
    while (!stopped()) {
      const auto published = catalog_.Change(task_.table_name, [&](catalog::Table& table) -> Result<void> {
        const auto found = std::ranges::find(table.indexes, task_.index_space, &catalog::Index::space);
        if (table.id != task_.table_id || found == table.indexes.end()) {
          return taula::Fail(ErrorCode::kResourceNotFoundException, "");
        }
        found->status = IndexStatus::kActive;
        return {};
      });
      if (published || published.error().code == ErrorCode::kResourceNotFoundException) return;
      retry_.Wait(published.error().message);
    }
  }

  storage::Store& store_;
  catalog::Catalog& catalog_;
  const FillTask& task_;
  std::stop_token stop_;
  Retry retry_;
  std::unique_ptr<storage::Reader> snapshot_;
  SpaceStatistics in_snapshot_;  // what the index has to have for the snapshot's items
};

}  // namespace

void FillIndex(storage::Store& store, catalog::Catalog& catalog, const FillTask& task, std::stop_token stop) {
  Fill(store, catalog, task, std::move(stop)).Run();
}

}  // namespace taula::engine
