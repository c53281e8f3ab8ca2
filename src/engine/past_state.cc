#include "engine/past_state.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "engine/history.h"

namespace taula::engine {
namespace {

// Writers read the clock shortly before they are brought in order, so times are
// not quite in the order of positions.
constexpr std::int64_t kDisorderMs = 60'000;
constexpr std::size_t kRecordsAtOnce = 1000;
constexpr std::size_t kItemsAtOnce = 1000;

using Suffix = std::string;  // of a key, from its hash on
using Stored = std::optional<std::string>;

std::string KeyIn(codec::SpaceId space, std::string_view suffix) {
  std::string key = codec::SpaceRange(space).begin;
  return key.append(suffix);
}

class PastState {
 public:
  PastState(storage::Store& store, const catalog::Table& table, std::int64_t time_ms, codec::SpaceId scratch,
            const std::stop_token& stop)
      : store_(store), table_(table), time_ms_(time_ms), scratch_(scratch), stop_(stop), now_(store.Snapshot()) {}

  // From the newest change back: what is put last is what was there first.
  bool Gather() {
    storage::Range rest = HistoryRange(table_.recovery->space);
    bool more = true;
    while (more && !stop_.stop_requested()) {
      std::map<Suffix, Stored> before;
      std::size_t count = 0;
      bool damaged = false;
      more = false;
      const storage::ScanOptions newest_first{.reverse = true, .items_max = kRecordsAtOnce};
      const auto status = now_->Scan(rest, newest_first, [&](std::string_view key, std::string_view value) {
        const std::optional<HistoryRecord> record = DecodeHistory(value);
        damaged = !record;
        if (damaged || record->time_ms <= time_ms_ - kDisorderMs) {
          more = false;
          return false;
        }
        if (record->time_ms > time_ms_) {
          before.insert_or_assign(Suffix(record->item_key),
                                  record->before ? Stored(*record->before) : Stored(std::nullopt));
        }
        rest.end = key;
        more = ++count == kRecordsAtOnce;
        return true;
      });
      if (damaged || status != storage::Status::kOk || !Put(before)) return false;
    }
    return !stop_.stop_requested();
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
               batch.Put(KeyIn(scratch_, suffix), stored ? "1" + *stored : std::string("0"));
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
    const storage::Range range{KeyIn(scratch_, from),
                               to.empty() ? codec::SpaceRange(scratch_).end : KeyIn(scratch_, to)};
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
