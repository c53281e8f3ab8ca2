#include "engine/past_changes.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "engine/history_walk.h"

namespace taula::engine {
namespace {

constexpr std::size_t kEntriesAtOnce = 1000;
constexpr std::size_t kBytesAtOnce = std::size_t{4} << 20;

using Stored = std::optional<std::string>;

// What is known of one item while the history is walked back.
struct Entry {
  bool changed = false;  // in between
  std::int64_t last_write_ms = 0;
  Stored before;                // before the earliest change seen
  std::optional<Stored> after;  // before the earliest change that came later; without one it is as it is now
};

void AppendStored(std::string& out, const Stored& stored) {
  out.push_back(stored ? 1 : 0);
  base::AppendVarint(out, static_cast<std::uint32_t>(stored ? stored->size() : 0));
  if (stored) out += *stored;
}

Stored ReadStored(const char*& at) {
  const bool exists = *at++ == 1;
  const std::uint32_t bytes = base::ReadVarint(at);
  Stored stored;
  if (exists) stored.emplace(at, bytes);
  at += bytes;
  return stored;
}

std::string Encode(const Entry& entry) {
  std::string bytes;
  bytes.push_back(entry.changed ? 1 : 0);
  base::AppendU64(bytes, static_cast<std::uint64_t>(entry.last_write_ms));
  AppendStored(bytes, entry.before);
  bytes.push_back(entry.after ? 1 : 0);
  if (entry.after) AppendStored(bytes, *entry.after);
  return bytes;
}

Entry Decode(std::string_view bytes) {
  const char* at = bytes.data();
  Entry entry;
  entry.changed = *at++ == 1;
  entry.last_write_ms = static_cast<std::int64_t>(base::ReadU64(at));
  at += 8;
  entry.before = ReadStored(at);
  if (*at++ == 1) entry.after = ReadStored(at);
  return entry;
}

class Changes {
 public:
  Changes(storage::Store& store, const catalog::Table& table, std::int64_t from_ms, std::int64_t to_ms,
          codec::SpaceId scratch, const std::stop_token& stop)
      : store_(store),
        table_(table),
        from_ms_(from_ms),
        to_ms_(to_ms),
        scratch_(scratch),
        stop_(stop),
        now_(store.Snapshot()) {}

  bool Gather() {
    return VisitHistoryBack(
        *now_, table_.recovery->space, from_ms_ - 1, stop_, [this](const HistoryRecord& record) { Note(record); },
        [this] { return Put(); });
  }

  bool Visit(base::FunctionRef<bool(const PastChange& change)> visit) {
    storage::Range rest = codec::SpaceRange(scratch_);
    bool more = true;
    while (more && !stop_.stop_requested()) {
      std::vector<std::pair<std::string, Entry>> entries;
      std::size_t bytes = 0;
      more = false;
      const auto status = store_.Scan(rest, {.reverse = false, .items_max = kEntriesAtOnce},
                                      [&](std::string_view key, std::string_view value) {
                                        entries.emplace_back(key.substr(codec::kSpacePrefixBytes), Decode(value));
                                        bytes += value.size();
                                        more = entries.size() == kEntriesAtOnce || bytes >= kBytesAtOnce;
                                        return !more;
                                      });
      if (status != storage::Status::kOk) return false;
      if (more) rest.begin = KeyInSpace(scratch_, entries.back().first) + '\0';
      for (const auto& [suffix, entry] : entries) {
        if (entry.changed && !Show(suffix, entry, visit)) return false;
      }
    }
    return !stop_.stop_requested();
  }

 private:
  void Note(const HistoryRecord& record) {
    // What is known of an item may be larger than the record that is noted.
    if (group_bytes_ >= kBytesAtOnce) failed_ = !Put() || failed_;
    Entry& entry = Find(std::string(record.item_key));
    group_bytes_ += record.before ? record.before->size() : 0;
    entry.before = record.before ? Stored(*record.before) : std::nullopt;
    if (record.time_ms >= to_ms_) {
      entry.after = entry.before;
      return;
    }
    entry.changed = true;
    entry.last_write_ms = std::max(entry.last_write_ms, record.time_ms);
  }

  // What an earlier group has noted, or nothing yet.
  Entry& Find(std::string suffix) {
    const auto [found, is_new] = group_.try_emplace(std::move(suffix));
    if (is_new) {
      const auto status = store_.Get(KeyInSpace(scratch_, found->first), [&](std::string_view value) {
        found->second = Decode(value);
        group_bytes_ += value.size();
      });
      failed_ = status != storage::Status::kOk || failed_;
    }
    return found->second;
  }

  bool Put() {
    if (failed_) return false;
    if (group_.empty()) return true;
    const auto commit = storage::MutateAndWait(store_, {}, [&](auto, storage::Batch& batch) {
      for (const auto& [suffix, entry] : group_) batch.Put(KeyInSpace(scratch_, suffix), Encode(entry));
      return true;
    });
    group_.clear();
    group_bytes_ = 0;
    return commit == storage::Commit::kOk;
  }

  bool Show(const std::string& suffix, const Entry& entry, base::FunctionRef<bool(const PastChange& change)> visit) {
    Stored after;
    if (entry.after) {
      after = *entry.after;
    } else if (now_->Get(KeyInSpace(table_.space, suffix), [&](std::string_view stored) { after = stored; }) !=
               storage::Status::kOk) {
      return false;
    }
    if (!entry.before && !after) return true;
    PastChange change{.last_write_ms = entry.last_write_ms};
    if (entry.before) change.before = *entry.before;
    if (after) change.after = *after;
    return visit(change);
  }

  storage::Store& store_;
  const catalog::Table& table_;
  const std::int64_t from_ms_;
  const std::int64_t to_ms_;
  const codec::SpaceId scratch_;
  const std::stop_token& stop_;
  const std::unique_ptr<storage::Reader> now_;
  std::map<std::string, Entry> group_;  // by the item's key, from its hash on
  std::size_t group_bytes_ = 0;
  bool failed_ = false;
};

}  // namespace

bool VisitChanges(storage::Store& store, const catalog::Table& table, std::int64_t from_ms, std::int64_t to_ms,
                  codec::SpaceId scratch, const std::stop_token& stop,
                  base::FunctionRef<bool(const PastChange& change)> visit) {
  Changes changes(store, table, from_ms, to_ms, scratch, stop);
  return changes.Gather() && changes.Visit(visit);
}

}  // namespace taula::engine
