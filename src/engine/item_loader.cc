#include "engine/item_loader.h"

#include <latch>
#include <mutex>
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

bool ItemLoader::Add(std::string_view stored) {
  items_.emplace_back(stored);
  bytes_ += stored.size();
  return items_.size() < kItemsAtOnce && bytes_ < kBytesAtOnce ? true : Flush();
}

bool ItemLoader::Flush() {
  const bool done = table_->rules == nullptr ? PutTogether() : PutEach();
  items_.clear();
  bytes_ = 0;
  return done;
}

bool ItemLoader::PutTogether() {
  if (items_.empty()) return true;
  const auto commit = storage::MutateAndWait(store_, {}, [&](auto, storage::Batch& batch) {
    for (const std::string& stored : items_) {
      const WriteAction action = PutOf(table_, stored);
      const std::string key = ItemStoreKey(*table_, action.item.view());
      const WriteContext context{.key = key, .now_ms = clock_.NowMs()};
      storage::Batch one;
      if (auto applied = ApplyWrite(action, context, std::nullopt, one); !applied) {
        ++refused_;
        if (refusal_.empty()) refusal_ = applied.error().message;
        continue;
      }
      batch.Append(one);
    }
    return true;
  });
  return commit == storage::Commit::kOk;
}

bool ItemLoader::PutEach() {
  std::latch left(static_cast<std::ptrdiff_t>(items_.size()));
  std::mutex mutex;
  bool failed = false;
  for (const std::string& stored : items_) {
    WriteItem(store_, clock_, PutOf(table_, stored), [&](const Result<WriteOutcome>& outcome) {
      {
        const std::lock_guard lock(mutex);
        if (!outcome) {
          const ErrorCode code = outcome.error().code;
          failed = failed || code == ErrorCode::kServiceUnavailable || code == ErrorCode::kInternalServerError;
          ++refused_;
          if (refusal_.empty()) refusal_ = outcome.error().message;
        }
      }
      left.count_down();
    });
  }
  left.wait();
  return !failed;
}

}  // namespace taula::engine
