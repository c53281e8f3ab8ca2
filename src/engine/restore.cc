#include "engine/restore.h"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "engine/begun_table.h"
#include "engine/item_loader.h"
#include "engine/past_state.h"
#include "engine/retry.h"
#include "engine/scratch_space.h"

namespace taula::engine {
namespace {

enum class Outcome { kDone, kTryAgain, kSourceIsGone };

class TableRestore {
 public:
  TableRestore(storage::Store& store, catalog::Catalog& catalog, const base::Clock& clock, const RestoreTask& task,
               const std::stop_token& stop)
      : store_(store), catalog_(catalog), clock_(clock), task_(task), stop_(stop) {}

  void Run() {
    Retry retry("Restoring table " + task_.table_name, stop_);
    while (!stop_.stop_requested()) {
      const catalog::TablePtr table = Find();
      if (table == nullptr) return;
      const Outcome outcome = EraseBegun(store_, *table) ? Copy(table) : Outcome::kTryAgain;
      if (outcome == Outcome::kDone && PublishBegun(catalog_, *table)) return;
      if (outcome == Outcome::kSourceIsGone) {
        base::Log(base::LogLevel::kError, "Table {} cannot be restored: what it was to be made of is gone",
                  task_.table_name);
        RemoveBegun(catalog_, task_.table_name, task_.table_id);
        return;
      }
      // It goes on when the database is opened, which is before designs are laid
      // over its tables.
      if (HasOtherRules(*table)) continue;
      if (!stop_.stop_requested()) retry.Wait("the store cannot be read or written");
    }
  }

 private:
  [[nodiscard]] catalog::TablePtr Find() const {
    catalog::TablePtr table = catalog_.Find(task_.table_name);
    const bool is_it = table != nullptr && table->id == task_.table_id && table->restore && table->restore->in_progress;
    return is_it ? table : nullptr;
  }

  [[nodiscard]] bool HasOtherRules(const catalog::Table& table) const {
    const catalog::TablePtr current = Find();
    return current != nullptr && current->rules != table.rules;
  }

  Outcome Copy(const catalog::TablePtr& table) {
    ItemLoader loader(store_, clock_, table);
    const Outcome outcome = table->restore->backup_id.empty() ? CopyPast(*table, loader) : CopyBackup(*table, loader);
    if (outcome != Outcome::kDone) return outcome;
    if (!loader.Finish()) return Outcome::kTryAgain;
    if (loader.refused() > 0) {
      base::Log(base::LogLevel::kWarning, "Of table {} {} items were not restored; the first one because: {}",
                task_.table_name, loader.refused(), loader.refusal());
    }
    return Outcome::kDone;
  }

  Outcome CopyBackup(const catalog::Table& table, ItemLoader& loader) {
    const catalog::BackupPtr backup = catalog_.backups().Find(table.restore->backup_id);
    if (backup == nullptr) return Outcome::kSourceIsGone;
    const std::unique_ptr<storage::Reader> state = store_.OpenState(backup->state);
    if (state == nullptr) return Outcome::kSourceIsGone;
    bool loaded = true;
    const auto status = state->Scan(codec::SpaceRange(backup->table.space), {.reverse = false, .items_max = 0},
                                    [&](std::string_view, std::string_view stored) {
                                      loaded = !stop_.stop_requested() && loader.Add(stored);
                                      return loaded;
                                    });
    return loaded && status == storage::Status::kOk ? Outcome::kDone : Outcome::kTryAgain;
  }

  Outcome CopyPast(const catalog::Table& table, ItemLoader& loader) {
    const catalog::TablePtr source = catalog_.Find(table.restore->source_table_name);
    if (source == nullptr || source->id != table.restore->source_table_id || !source->recovery) {
      return Outcome::kSourceIsGone;
    }
    const ScratchSpace scratch(store_, catalog_);
    if (!scratch.space()) return Outcome::kTryAgain;
    const bool copied = VisitPast(store_, *source, table.restore->time_ms, *scratch.space(), stop_,
                                  [&](std::string_view stored) { return loader.Add(stored); });
    return copied ? Outcome::kDone : Outcome::kTryAgain;
  }

  storage::Store& store_;
  catalog::Catalog& catalog_;
  const base::Clock& clock_;
  const RestoreTask& task_;
  const std::stop_token& stop_;
};

}  // namespace

void RestoreItems(storage::Store& store, catalog::Catalog& catalog, const base::Clock& clock, const RestoreTask& task,
                  const std::stop_token& stop) {
  TableRestore(store, catalog, clock, task, stop).Run();
}

}  // namespace taula::engine
