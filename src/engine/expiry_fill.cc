#include "engine/expiry_fill.h"

#include <optional>
#include <string_view>
#include <utility>

#include "codec/stored_item.h"
#include "engine/expiry.h"
#include "engine/fill_steps.h"

namespace taula::engine {
namespace {

std::optional<std::string> KeyToPut(const catalog::Table& table, std::string_view item_key,
                                    std::optional<std::string_view> stored) {
  if (!stored || !Expires(table)) return std::nullopt;
  const auto time = ExpiryOf(table, codec::StoredItemValue(*stored));
  if (!time) return std::nullopt;
  return ExpiryKey(table.space, *time, item_key);
}

class ExpiryFill {
 public:
  ExpiryFill(storage::Store& store, catalog::Catalog& catalog, const ExpiryTask& task, const std::stop_token& stop)
      : store_(store),
        catalog_(catalog),
        task_(task),
        stop_(stop),
        steps_(store, "Noting when items of table " + task.table_name + " expire", stop) {}

  void Run() {
    if (!catalog_.WaitForReaders(task_.table_id, stop_)) return;
    const std::optional<FillTarget> target = Find();
    if (!target) return;
    const codec::SpaceId space = target->table->space;
    if (!Expires(*target->table)) {
      store_.EraseRange(AllExpiriesRange(space));
      return;
    }
    if (!target->table->time_to_live->filling) return;
    steps_.TakeSnapshot();
    if (!DeleteStrays(space) || !PutKeys(space)) return;
    steps_.ReleaseSnapshot();
    Publish();
  }

 private:
  [[nodiscard]] std::optional<FillTarget> Find() const {
    FillTarget target{catalog_.Find(task_.table_name), nullptr};
    if (target.table == nullptr || target.table->id != task_.table_id) return std::nullopt;
    return target;
  }

  bool DeleteStrays(codec::SpaceId space) {
    const auto collect = [](const FillTarget&, std::string_view key, std::string_view, FillStep& step) {
      step.AddEntry(ExpiringItemKey(key), key);
    };
    const auto decide = [](const FillTarget& target, const FillStep& step, std::size_t i,
                           std::optional<std::string_view> stored, storage::Batch& batch) {
      const auto wanted = KeyToPut(*target.table, step.item_keys[i], stored);
      for (const std::string& key : step.entry_keys[i]) {
        if (key != wanted) batch.Delete(key);
      }
    };
    return steps_.Walk(
        AllExpiriesRange(space), [this] { return Find(); }, collect, decide);
  }

  bool PutKeys(codec::SpaceId space) {
    const auto collect = [](const FillTarget&, std::string_view key, std::string_view, FillStep& step) {
      step.item_keys.emplace_back(key);
    };
    const auto decide = [](const FillTarget& target, const FillStep& step, std::size_t i,
                           std::optional<std::string_view> stored, storage::Batch& batch) {
      const auto wanted = KeyToPut(*target.table, step.item_keys[i], stored);
      if (wanted) batch.Put(*wanted, "");
    };
    return steps_.Walk(
        codec::SpaceRange(space), [this] { return Find(); }, collect, decide);
  }

  void Publish() {
    steps_.Publish(catalog_, task_.table_name, task_.table_id, [](catalog::Table& table) {
      if (table.time_to_live) table.time_to_live->filling = false;
      return true;
    });
  }

  storage::Store& store_;
  catalog::Catalog& catalog_;
  const ExpiryTask& task_;
  const std::stop_token& stop_;
  FillSteps steps_;
};

}  // namespace

void SettleExpiries(storage::Store& store, catalog::Catalog& catalog, const ExpiryTask& task,
                    const std::stop_token& stop) {
  ExpiryFill(store, catalog, task, stop).Run();
}

}  // namespace taula::engine
