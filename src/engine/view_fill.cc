#include "engine/view_fill.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/stored_item.h"
#include "engine/fill_steps.h"
#include "engine/index_entries.h"
#include "engine/ordered_views.h"

namespace taula::engine {
namespace {

// The key that has to be in the views of the table or the index; nothing when
// the item is not in the index.
std::optional<std::string> KeyToView(const catalog::Table& table, const catalog::Index* index, ValueView item) {
  if (index == nullptr) return ItemStoreKey(table, item);
  return IndexStoreKey(table, *index, item);
}

class ViewFill {
 public:
  ViewFill(storage::Store& store, catalog::Catalog& catalog, const ViewFillTask& task, std::stop_token stop)
      : catalog_(catalog),
        task_(task),
        stop_(stop),
        steps_(store, "Filling the ordered views of table " + task.table_name, std::move(stop)) {}

  void Run() {
    if (!ListSpaces() || !catalog_.WaitForReaders(task_.table_id, stop_)) return;
    steps_.TakeSnapshot();
    if (!CheckTable() || !std::ranges::all_of(index_spaces_, [this](auto space) { return CheckIndex(space); })) return;
    if (!PutEntries()) return;
    steps_.ReleaseSnapshot();
    Publish();
  }

 private:
  // Of what every write knows once those of the time before are done. An index
  // that comes later is not known to all of them.
  bool ListSpaces() {
    const std::optional<FillTarget> target = FindTable();
    if (!target || target->table->range_queries != IndexStatus::kCreating) return false;
    table_space_ = target->table->space;
    for (const catalog::Index& index : target->table->indexes) {
      if (KeepsViews(*target->table, &index)) index_spaces_.push_back(index.space);
    }
    return true;
  }

  [[nodiscard]] std::optional<FillTarget> FindTable() const {
    FillTarget target{catalog_.Find(task_.table_name), nullptr};
    if (target.table == nullptr || target.table->id != task_.table_id) return std::nullopt;
    return target;
  }

  [[nodiscard]] std::optional<FillTarget> FindIndex(codec::SpaceId space) const {
    std::optional<FillTarget> target = FindTable();
    if (!target) return std::nullopt;
    const auto found = std::ranges::find(target->table->indexes, space, &catalog::Index::space);
    if (found == target->table->indexes.end()) return std::nullopt;
    target->index = &*found;
    return target;
  }

  bool CheckTable() {
    return CheckViews(table_space_, [this] { return FindTable(); });
  }

  // An index that is gone needs no views.
  bool CheckIndex(codec::SpaceId space) {
    return CheckViews(space, [this, space] { return FindIndex(space); }) || (FindTable() && !FindIndex(space));
  }

  // Deletes the snapshot's entries that are not their item's.
  bool CheckViews(codec::SpaceId space, FillSteps::Find find) {
    for (const ViewOrder order : {ViewOrder::kByPartition, ViewOrder::kBySort}) {
      const auto collect = [order](const FillTarget& target, std::string_view key, std::string_view, FillStep& step) {
        step.AddEntry(ViewedItemKey(*target.table, target.index, order, key), key);
      };
      const auto decide = [order](const FillTarget& target, const FillStep& step, std::size_t i,
                                  std::optional<std::string_view> stored, storage::Batch& batch) {
        std::optional<std::string> wanted;
        if (stored) wanted = KeyToView(*target.table, target.index, codec::StoredItemValue(*stored));
        if (wanted) wanted = ViewKey(*target.table, target.index, order, *wanted);
        for (const std::string& key : step.entry_keys[i]) {
          if (key != wanted) batch.Delete(key);
        }
      };
      std::string begin = ViewPrefix(space, order);
      std::string end = codec::PrefixEnd(begin);
      if (!steps_.Walk({std::move(begin), std::move(end)}, find, collect, decide)) return false;
    }
    return true;
  }

  // Puts the entries of the snapshot's items as they are now.
  bool PutEntries() {
    const auto collect = [](const FillTarget&, std::string_view key, std::string_view, FillStep& step) {
      step.item_keys.emplace_back(key);
    };
    const auto decide = [this](const FillTarget& target, const FillStep& step, std::size_t i,
                               std::optional<std::string_view> stored, storage::Batch& batch) {
      if (!stored) return;
      const catalog::Table& table = *target.table;
      PutInViews(table, nullptr, step.item_keys[i], batch);
      for (const catalog::Index& index : table.indexes) {
        if (std::ranges::find(index_spaces_, index.space) == index_spaces_.end()) continue;
        const auto key = IndexStoreKey(table, index, codec::StoredItemValue(*stored));
        if (key) PutInViews(table, &index, *key, batch);
      }
    };
    return steps_.Walk(
        codec::SpaceRange(table_space_), [this] { return FindTable(); }, collect, decide);
  }

  void Publish() {
    steps_.Publish(catalog_, task_.table_name, task_.table_id, [](catalog::Table& table) {
      table.range_queries = IndexStatus::kActive;
      return true;
    });
  }

  catalog::Catalog& catalog_;
  const ViewFillTask& task_;
  std::stop_token stop_;
  FillSteps steps_;
  codec::SpaceId table_space_ = 0;
  std::vector<codec::SpaceId> index_spaces_;
};

}  // namespace

void FillViews(storage::Store& store, catalog::Catalog& catalog, const ViewFillTask& task, std::stop_token stop) {
  ViewFill(store, catalog, task, std::move(stop)).Run();
}

}  // namespace taula::engine
