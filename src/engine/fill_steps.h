// Going through a snapshot of a table in small steps, each of which reads some
// items as they are by then and writes what follows from them: what filling an
// index (backfill.h) and filling ordered views (view_fill.h) share.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "catalog/catalog.h"
#include "catalog/table.h"
#include "engine/retry.h"
#include "engine/statistics.h"
#include "storage/store.h"

namespace taula::engine {

// A version of the table, and of what of it is filled. Held through one step,
// like any writer does, so that no space is erased meanwhile.
struct FillTarget {
  catalog::TablePtr table;
  const catalog::Index* index = nullptr;
};

// Keys of items, each once, and for each what is to be decided about.
struct FillStep {
  std::vector<storage::Key> item_keys;
  std::vector<std::vector<std::string>> entry_keys;  // when entries are checked: those found for each item
  SpaceStatistics entries;                           // what the items are to have in the index
  bool last = true;

  void AddEntry(std::string item_key, std::string_view entry_key);
};

class FillSteps {
 public:
  // The version to work with, nothing when it is gone.
  using Find = base::FunctionRef<std::optional<FillTarget>()>;
  // Takes up into the step what the snapshot has.
  using Collect =
      base::FunctionRef<void(const FillTarget& target, std::string_view key, std::string_view stored, FillStep& step)>;
  // Writes what follows from the item as it is now, the step's i-th.
  using Decide = base::FunctionRef<void(const FillTarget& target, const FillStep& step, std::size_t i,
                                        std::optional<std::string_view> stored, storage::Batch& batch)>;

  // `what` begins a line of the log: "Filling an index".
  FillSteps(storage::Store& store, std::string what, std::stop_token stop);

  void TakeSnapshot();
  void ReleaseSnapshot() { snapshot_.reset(); }
  [[nodiscard]] const storage::Reader& snapshot() const { return *snapshot_; }

  // Goes through a range of the snapshot, and pauses between the steps so that
  // writers get their turn. False when the target is gone or the work is stopped.
  [[nodiscard]] bool Walk(storage::Range rest, Find find, Collect collect, Decide decide);

  // Says in the catalog that the work is done: `change` edits the table, or says
  // no when what was filled is gone. Tries until that is written, or it is stopped.
  void Publish(catalog::Catalog& catalog, std::string_view table_name, std::string_view table_id,
               base::FunctionRef<bool(catalog::Table& table)> change);

  // The entries of all steps since the snapshot was taken.
  [[nodiscard]] const SpaceStatistics& entries() const { return entries_; }
  [[nodiscard]] bool stopped() const { return stop_.stop_requested(); }
  [[nodiscard]] Retry& retry() { return retry_; }

 private:
  using DecideOne =
      base::FunctionRef<void(std::size_t i, std::optional<std::string_view> stored, storage::Batch& batch)>;

  std::optional<FillStep> Read(const FillTarget& target, storage::Range& rest, Collect collect) const;
  bool Write(std::span<const storage::Key> keys, std::size_t first, DecideOne decide);

  storage::Store& store_;
  std::stop_token stop_;
  Retry retry_;
  std::unique_ptr<storage::Reader> snapshot_;
  SpaceStatistics entries_;
};

}  // namespace taula::engine
