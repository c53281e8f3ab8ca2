#include "engine/expiry_sweep.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "codec/stored_item.h"
#include "engine/expiry.h"
#include "engine/index_entries.h"
#include "engine/write.h"

namespace taula::engine {
namespace {

constexpr std::size_t kItemsAtOnce = 256;

// One step on one table.
class TableSweep {
 public:
  TableSweep(storage::Store& store, const base::Clock& clock, catalog::TablePtr table)
      : store_(store), clock_(clock), table_(std::move(table)), now_s_(clock.NowMs() / 1000) {}

  // Removes some from the key `from` on, which it moves behind them: what has just
  // been removed costs whoever passes it. Returns whether there may be more.
  bool Step(std::string& from) {
    const std::vector<std::string> due = Due(from);
    if (due.empty()) return false;
    from = due.back() + '\0';
    std::latch left(static_cast<std::ptrdiff_t>(due.size()));
    for (const std::string& expiry_key : due) RemoveOne(expiry_key, left);
    left.wait();
    return due.size() == kItemsAtOnce;
  }

  [[nodiscard]] std::size_t removed() const { return removed_; }

 private:
  [[nodiscard]] std::vector<std::string> Due(const std::string& from) const {
    std::vector<std::string> keys;
    auto range = ExpiryRange(table_->space, now_s_ - kExpiryAgeMaxSeconds + 1, now_s_);
    range.begin = std::max(range.begin, from);
    store_.Scan(range, {.reverse = false, .items_max = kItemsAtOnce}, [&](std::string_view key, std::string_view) {
      keys.emplace_back(key);
      return true;
    });
    return keys;
  }

  void RemoveOne(const std::string& expiry_key, std::latch& left) {
    const std::string item_key = ExpiringItemKey(expiry_key);
    std::optional<Item> key;
    store_.Get(item_key, [&](std::string_view stored) {
      const ValueView item = codec::StoredItemValue(stored);
      const auto time = ExpiryOf(*table_, item);
      if (time && ExpiryKey(table_->space, *time, item_key) == expiry_key) key = KeyOf(*table_, nullptr, item);
    });
    if (!key) {
      RemoveStray(expiry_key, item_key);
      left.count_down();
      return;
    }
    WriteAction action;
    action.kind = WriteKind::kDelete;
    action.table = table_;
    action.item = *std::move(key);
    action.expired_by_s = now_s_;
    WriteItem(store_, clock_, std::move(action), [this, &left](const Result<WriteOutcome>& outcome) {
      if (outcome) ++removed_;
      left.count_down();
    });
  }

  // An expiry key that is not its item's: left by a time to live that was turned
  // off, and not yet seen to by the one that followed.
  void RemoveStray(const std::string& expiry_key, const std::string& item_key) {
    const std::vector<storage::Key> reads = {item_key};
    storage::MutateAndWait(
        store_, reads, [&](std::span<const std::optional<std::string_view>> values, storage::Batch& batch) {
          const auto time = values[0] ? ExpiryOf(*table_, codec::StoredItemValue(*values[0])) : std::nullopt;
          if (time && ExpiryKey(table_->space, *time, item_key) == expiry_key) return false;
          batch.Delete(expiry_key);
          return true;
        });
  }

  storage::Store& store_;
  const base::Clock& clock_;
  const catalog::TablePtr table_;
  const std::int64_t now_s_;
  std::atomic<std::size_t> removed_ = 0;
};

std::vector<std::string> Expiring(const catalog::Catalog& catalog) {
  std::vector<std::string> names;
  for (const catalog::TablePtr& table : catalog.All()) {
    if (Expires(*table)) names.push_back(table->name);
  }
  return names;
}

}  // namespace

std::size_t SweepExpired(storage::Store& store, const catalog::Catalog& catalog, const base::Clock& clock,
                         metrics::Traffic& traffic, const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  std::size_t removed = 0;
  for (const std::string& name : Expiring(catalog)) {
    std::string from;
    bool more = true;
    while (more && !stop.stop_requested()) {
      const Clock::time_point begin = Clock::now();
      // Anew each time, for whoever changes the table waits for those who hold it.
      catalog::TablePtr table = catalog.Find(name);
      if (table == nullptr || !Expires(*table)) break;
      TableSweep sweep(store, clock, table);
      more = sweep.Step(from);
      removed += sweep.removed();
      if (sweep.removed() != 0) traffic.CountExpired(*table, sweep.removed());
      table.reset();
      // As long as it took, for everybody else.
      if (more) std::this_thread::sleep_for(Clock::now() - begin);
    }
  }
  return removed;
}

}  // namespace taula::engine
