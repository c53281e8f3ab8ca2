#include "engine/backfill.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "codec/stored_item.h"
#include "engine/fill_steps.h"
#include "engine/index_entries.h"
#include "engine/ordered_views.h"
#include "engine/statistics.h"

namespace taula::engine {

namespace {

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

class Fill {
 public:
  Fill(storage::Store& store, catalog::Catalog& catalog, const FillTask& task, std::stop_token stop)
      : store_(store),
        catalog_(catalog),
        task_(task),
        stop_(stop),
        steps_(store, "Filling an index of table " + task.table_name, std::move(stop)) {}

  void Run() {
    if (!catalog_.WaitForReaders(task_.table_id, stop_)) return;
    do {
      steps_.TakeSnapshot();
      if (!CheckEntries() || !PutEntries()) return;
    } while (!CorrectStatistics() && !steps_.stopped());
    steps_.ReleaseSnapshot();
    Publish();
  }

 private:
  // Nothing when the index is gone.
  [[nodiscard]] std::optional<FillTarget> Find() const {
    FillTarget target{catalog_.Find(task_.table_name), nullptr};
    if (target.table == nullptr || target.table->id != task_.table_id) return std::nullopt;
    const auto found = std::ranges::find(target.table->indexes, task_.index_space, &catalog::Index::space);
    if (found == target.table->indexes.end()) return std::nullopt;
    target.index = &*found;
    return target;
  }

  // Deletes the snapshot's entries that are not their item's.
  bool CheckEntries() {
    const auto collect = [](const FillTarget& target, std::string_view key, std::string_view stored, FillStep& step) {
      step.AddEntry(ItemStoreKey(*target.table, codec::StoredItemValue(stored)), key);
    };
    const auto decide = [](const FillTarget& target, const FillStep& step, std::size_t i,
                           std::optional<std::string_view> stored, storage::Batch& batch) {
      std::optional<IndexEntry> entry;
      if (stored) entry = EntryOf(*target.table, *target.index, *stored);
      for (const std::string& key : step.entry_keys[i]) {
        if (entry && entry->key == key) continue;
        batch.Delete(key);
        if (KeepsViews(*target.table, target.index)) DeleteFromViews(*target.table, target.index, key, batch);
      }
    };
    return steps_.Walk(
        codec::SpaceRange(task_.index_space), [this] { return Find(); }, collect, decide);
  }

  // Puts the entries of the snapshot's items as they are now.
  bool PutEntries() {
    std::optional<FillTarget> found = Find();
    if (!found) return false;
    const codec::SpaceId space = found->table->space;
    found.reset();
    const auto collect = [](const FillTarget& target, std::string_view key, std::string_view stored, FillStep& step) {
      const std::optional<IndexEntry> entry = EntryOf(*target.table, *target.index, stored);
      if (!entry) return;
      step.item_keys.emplace_back(key);
      ++step.entries.items;
      step.entries.bytes += codec::StoredItemSize(entry->stored);
    };
    const auto decide = [](const FillTarget& target, const FillStep&, std::size_t,
                           std::optional<std::string_view> stored, storage::Batch& batch) {
      if (!stored) return;
      const std::optional<IndexEntry> entry = EntryOf(*target.table, *target.index, *stored);
      if (!entry) return;
      batch.Put(entry->key, entry->stored);
      if (KeepsViews(*target.table, target.index)) PutInViews(*target.table, target.index, entry->key, batch);
    };
    return steps_.Walk(
        codec::SpaceRange(space), [this] { return Find(); }, collect, decide);
  }

  // False when it is not known whether it has been done: then all is to be
  // counted again.
  bool CorrectStatistics() {
    std::optional<SpaceStatistics> counted;
    while (!steps_.stopped()) {
      if (!counted) counted = TryReadStatistics(steps_.snapshot(), task_.index_space);
      if (!counted) {
        steps_.retry().Wait("the counters cannot be read");
        continue;
      }
      // Held so that the counters are not written behind their erasure.
      const std::optional<FillTarget> target = Find();
      if (!target) return true;
      const storage::Commit commit = storage::MutateAndWait(
          store_, {}, [&](std::span<const std::optional<std::string_view>>, storage::Batch& batch) {
            AddStatistics(batch, task_.index_space, steps_.entries().items - counted->items,
                          steps_.entries().bytes - counted->bytes);
            return true;
          });
      if (commit == storage::Commit::kOk) return true;
      steps_.retry().Wait("the counters cannot be written");
      if (commit == storage::Commit::kUnknown) return false;
    }
    return false;
  }

  void Publish() {
    steps_.Publish(catalog_, task_.table_name, task_.table_id, [&](catalog::Table& table) {
      const auto found = std::ranges::find(table.indexes, task_.index_space, &catalog::Index::space);
      if (found == table.indexes.end()) return false;
      found->status = IndexStatus::kActive;
      return true;
    });
  }

  storage::Store& store_;
  catalog::Catalog& catalog_;
  const FillTask& task_;
  std::stop_token stop_;
  FillSteps steps_;
};

}  // namespace

void FillIndex(storage::Store& store, catalog::Catalog& catalog, const FillTask& task, std::stop_token stop) {
  Fill(store, catalog, task, std::move(stop)).Run();
}

}  // namespace taula::engine
