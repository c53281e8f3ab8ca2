#include "engine/item_loader.h"

#include <latch>
#include <mutex>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "codec/stored_item.h"
#include "engine/apply_write.h"
#include "engine/index_entries.h"
#include "engine/write.h"

namespace taula::engine {
namespace {

constexpr std::size_t kItemsAtOnce = 500;
constexpr std::size_t kBytesAtOnce = std::size_t{2} << 20;

WriteAction PutOf(const catalog::TablePtr& table, std::string_view stored) {
  WriteAction action;
  action.kind = WriteKind::kPut;
  action.table = table;
  action.item = Item(codec::StoredItemValue(stored));
  return action;
}

}  // namespace

bool ItemLoader::Add(std::string_view stored, std::uint64_t mark) {
  items_.emplace_back(std::string(stored), mark);
  bytes_ += stored.size();
  return items_.size() < kItemsAtOnce && bytes_ < kBytesAtOnce ? true : Flush();
}

bool ItemLoader::Flush() {
  const bool done = table_->rules == nullptr ? PutTogether() : PutEach();
  items_.clear();
  bytes_ = 0;
  return done;
}

void ItemLoader::Note(std::uint64_t mark, const Error& error) {
  ++refused_;
  if (refusal_.empty()) refusal_ = error.message;
  if (on_refused_) on_refused_(mark, error);
}

void ItemLoader::ApplyTo(storage::Batch& batch, const Pending& item, std::string_view key,
                         std::optional<std::string_view> before, Refusals& refusals) const {
  const WriteContext context{.key = key, .now_ms = clock_.NowMs()};
  storage::Batch one;
  if (auto applied = ApplyWrite(PutOf(table_, item.stored), context, before, one); !applied) {
    refusals.emplace_back(item.mark, std::move(applied.error()));
    return;
  }
  batch.Append(one);
}

bool ItemLoader::PutTogether() {
  if (items_.empty()) return true;
  std::vector<storage::Key> keys;
  std::vector<const Pending*> last;  // for each key
  std::unordered_map<std::string_view, std::size_t> places;
  keys.reserve(items_.size());
  for (const Pending& item : items_) {
    keys.push_back(ItemStoreKey(*table_, codec::StoredItemValue(item.stored)));
    const auto [place, is_new] = places.emplace(keys.back(), last.size());
    if (is_new) {
      last.push_back(&item);
    } else {
      keys.pop_back();
      last[place->second] = &item;
    }
  }
  const bool looks = repeats_ == Repeats::kPossible;
  Refusals refusals;
  const auto commit =
      storage::MutateAndWait(store_, looks ? std::span<const storage::Key>(keys) : std::span<const storage::Key>(),
                             [&](std::span<const std::optional<std::string_view>> values, storage::Batch& batch) {
                               refusals.clear();
                               for (std::size_t i = 0; i < keys.size(); ++i) {
                                 ApplyTo(batch, *last[i], keys[i], looks ? values[i] : std::nullopt, refusals);
                               }
                               return true;
                             });
  for (const auto& [mark, error] : refusals) Note(mark, error);
  return commit == storage::Commit::kOk;
}

bool ItemLoader::PutEach() {
  std::unordered_set<storage::Key> keys;
  std::size_t begin = 0;
  for (std::size_t i = 0; repeats_ == Repeats::kPossible && i < items_.size(); ++i) {
    storage::Key key = ItemStoreKey(*table_, codec::StoredItemValue(items_[i].stored));
    if (keys.contains(key)) {
      if (!PutAtOnce(std::span(items_).subspan(begin, i - begin))) return false;
      keys.clear();
      begin = i;
    }
    keys.insert(std::move(key));
  }
  return PutAtOnce(std::span(items_).subspan(begin));
}

// Of writes to one item at once, any might be the last.
bool ItemLoader::PutAtOnce(std::span<const Pending> items) {
  std::latch left(static_cast<std::ptrdiff_t>(items.size()));
  std::mutex mutex;
  bool failed = false;
  for (const Pending& item : items) {
    WriteItem(store_, clock_, PutOf(table_, item.stored), [&, mark = item.mark](const Result<WriteOutcome>& outcome) {
      {
        const std::lock_guard lock(mutex);
        if (!outcome) {
          const ErrorCode code = outcome.error().code;
          failed = failed || code == ErrorCode::kServiceUnavailable || code == ErrorCode::kInternalServerError;
          Note(mark, outcome.error());
        }
      }
      left.count_down();
    });
  }
  left.wait();
  return !failed;
}

}  // namespace taula::engine
