#include "engine/fill_steps.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace taula::engine {
namespace {

using Duration = std::chrono::steady_clock::duration;

// Small enough that a writer that meets one of the keys does not wait long.
constexpr std::size_t kStepItemsMax = 256;
constexpr std::size_t kStepBytesMax = 256 * 1024;
constexpr Duration kPauseMax = std::chrono::milliseconds(20);

}  // namespace

void FillStep::AddEntry(std::string item_key, std::string_view entry_key) {
  const auto known = std::ranges::find(item_keys, item_key);
  const auto number = static_cast<std::size_t>(known - item_keys.begin());
  if (known == item_keys.end()) {
    item_keys.push_back(std::move(item_key));
    entry_keys.emplace_back();
  }
  entry_keys[number].emplace_back(entry_key);
}

FillSteps::FillSteps(storage::Store& store, std::string what, std::stop_token stop)
    : store_(store), stop_(std::move(stop)), retry_(std::move(what), stop_) {}

void FillSteps::TakeSnapshot() {
  snapshot_ = store_.Snapshot();
  entries_ = {};
}

bool FillSteps::Walk(storage::Range rest, Find find, Collect collect, Decide decide) {
  while (!stopped()) {
    const auto begin = std::chrono::steady_clock::now();
    std::optional<FillTarget> target = find();
    if (!target) return false;
    const std::optional<FillStep> step = Read(*target, rest, collect);
    if (!step) {
      target.reset();
      retry_.Wait("the table cannot be read");
      continue;
    }
    const auto decide_one = [&](std::size_t i, std::optional<std::string_view> stored, storage::Batch& batch) {
      decide(*target, *step, i, stored, batch);
    };
    if (!Write(step->item_keys, 0, decide_one)) return false;
    entries_.items += step->entries.items;
    entries_.bytes += step->entries.bytes;
    if (step->last) return true;
    target.reset();
    std::this_thread::sleep_for(std::min(std::chrono::steady_clock::now() - begin, kPauseMax));
  }
  return false;
}

// Collects the next step and moves `rest` behind it.
std::optional<FillStep> FillSteps::Read(const FillTarget& target, storage::Range& rest, Collect collect) const {
  FillStep step;
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
bool FillSteps::Write(std::span<const storage::Key> keys, std::size_t first, DecideOne decide) {
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

void FillSteps::Publish(catalog::Catalog& catalog, std::string_view table_name, std::string_view table_id,
                        base::FunctionRef<bool(catalog::Table& table)> change) {
  while (!stopped()) {
    const auto published = catalog.Change(table_name, [&](catalog::Table& table) -> Result<void> {
      if (table.id != table_id || !change(table)) return Fail(ErrorCode::kResourceNotFoundException, "");
      return {};
    });
    if (published || published.error().code == ErrorCode::kResourceNotFoundException) return;
    retry_.Wait(published.error().message);
  }
}

}  // namespace taula::engine
