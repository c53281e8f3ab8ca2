#include "engine/past_state.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/history_walk.h"

namespace taula::engine {
namespace {

constexpr std::size_t kItemsAtOnce = 1000;

using Suffix = std::string;  // of a key, from its hash on
using Stored = std::optional<std::string>;

class PastState {
 public:
  PastState(storage::Store& store, const catalog::Table& table, std::int64_t time_ms, codec::SpaceId scratch,
            const std::stop_token& stop)
      : store_(store), table_(table), time_ms_(time_ms), scratch_(scratch), stop_(stop), now_(store.Snapshot()) {}

  // From the newest change back: what is put last is what was there first.
  bool Gather() {
    std::map<Suffix, Stored> before;
    return VisitHistoryBack(
        *now_, table_.recovery->space, time_ms_, stop_,
        [&](const HistoryRecord& record) {
          before.insert_or_assign(Suffix(record.item_key),
                                  record.before ? Stored(*record.before) : Stored(std::nullopt));
        },
        [&] { return Put(std::exchange(before, {})); });
  }

  // The present items with what has changed since put in its place.
  bool Visit(base::FunctionRef<bool(std::string_view stored)> visit) {
    storage::Range rest = codec::SpaceRange(table_.space);
    std::string from;  // suffix of the first key that has not been shown
    bool more = true;
    while (more && !stop_.stop_requested()) {
      std::map<Suffix, Stored> items;
      if (!ReadItems(rest, items, more)) return false;
      // Up to the last of these, or to the end.
      std::string to = more ? std::prev(items.end())->first + '\0' : std::string();
      if (!Overlay(from, to, items)) return false;
      for (const auto& [suffix, stored] : items) {
        if (stored && !visit(*stored)) return false;
      }
      from = std::move(to);
    }
    return !stop_.stop_requested();
  }

 private:
  // A byte tells an item from its absence.
  bool Put(const std::map<Suffix, Stored>& before) {
    if (before.empty()) return true;
    return storage::MutateAndWait(store_, {}, [&](auto, storage::Batch& batch) {
             for (const auto& [suffix, stored] : before) {
               batch.Put(KeyInSpace(scratch_, suffix), stored ? "1" + *stored : std::string("0"));
             }
             return true;
           }) == storage::Commit::kOk;
  }

  bool ReadItems(storage::Range& rest, std::map<Suffix, Stored>& items, bool& more) const {
    more = false;
    std::string last;
    const auto status = now_->Scan(rest, {.reverse = false, .items_max = kItemsAtOnce},
                                   [&](std::string_view key, std::string_view stored) {
                                     items.emplace(key.substr(codec::kSpacePrefixBytes), std::string(stored));
                                     last = key;
                                     more = items.size() == kItemsAtOnce;
                                     return true;
                                   });
    rest.begin = last + '\0';
    return status == storage::Status::kOk;
  }

  bool Overlay(const std::string& from, const std::string& to, std::map<Suffix, Stored>& items) const {
    const storage::Range range{KeyInSpace(scratch_, from),
                               to.empty() ? codec::SpaceRange(scratch_).end : KeyInSpace(scratch_, to)};
    return store_.Scan(range, {}, [&](std::string_view key, std::string_view value) {
      items.insert_or_assign(Suffix(key.substr(codec::kSpacePrefixBytes)),
                             value[0] == '1' ? Stored(value.substr(1)) : Stored(std::nullopt));
      return true;
    }) == storage::Status::kOk;
  }

  storage::Store& store_;
  const catalog::Table& table_;
  const std::int64_t time_ms_;
  const codec::SpaceId scratch_;
  const std::stop_token& stop_;
  const std::unique_ptr<storage::Reader> now_;
};

}  // namespace

bool VisitPast(storage::Store& store, const catalog::Table& table, std::int64_t time_ms, codec::SpaceId scratch,
               const std::stop_token& stop, base::FunctionRef<bool(std::string_view stored)> visit) {
  PastState past(store, table, time_ms, scratch, stop);
  return past.Gather() && past.Visit(visit);
}

}  // namespace taula::engine
