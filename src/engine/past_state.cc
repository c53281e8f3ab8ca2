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
constexpr std::size_t kBytesAtOnce = std::size_t{4} << 20;

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
    std::string from;  // suffix of the first key that has not been shown
    bool more = true;
    while (more && !stop_.stop_requested()) {
      std::map<Suffix, Stored> items;
      std::string to;  // suffix of the last key of these; empty when there are no more
      if (!ReadPiece(*now_, table_.space, from, to, [&](std::string_view suffix, std::string_view stored) {
            items.emplace(suffix, std::string(stored));
          })) {
        return false;
      }
      if (!ReadPiece(store_, scratch_, from, to, [&](std::string_view suffix, std::string_view value) {
            items.insert_or_assign(Suffix(suffix), value[0] == '1' ? Stored(value.substr(1)) : Stored(std::nullopt));
          })) {
        return false;
      }
      more = !to.empty();
      for (const auto& [suffix, stored] : items) {
        if (more && suffix > to) break;
        if (stored && !visit(*stored)) return false;
      }
      from = to + '\0';
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

  // Shows what a space has from one suffix on up to `to`, or to its end. When that
  // is too much to have at once, `to` becomes the last that was shown.
  static bool ReadPiece(const storage::Reader& reader, codec::SpaceId space, const std::string& from, std::string& to,
                        base::FunctionRef<void(std::string_view suffix, std::string_view value)> show) {
    const storage::Range range{KeyInSpace(space, from),
                               to.empty() ? codec::SpaceRange(space).end : KeyInSpace(space, to) + '\0'};
    std::size_t count = 0;
    std::size_t bytes = 0;
    const auto status = reader.Scan(range, {.reverse = false, .items_max = kItemsAtOnce},
                                    [&](std::string_view key, std::string_view value) {
                                      const std::string_view suffix = key.substr(codec::kSpacePrefixBytes);
                                      show(suffix, value);
                                      bytes += value.size();
                                      const bool full = ++count >= kItemsAtOnce || bytes >= kBytesAtOnce;
                                      if (full) to = suffix;
                                      return !full;
                                    });
    return status == storage::Status::kOk;
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
