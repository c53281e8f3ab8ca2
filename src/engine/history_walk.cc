#include "engine/history_walk.h"

#include <cstddef>
#include <optional>

namespace taula::engine {
namespace {

// Writers read the clock shortly before they are brought in order, so times are
// not quite in the order of positions.
constexpr std::int64_t kDisorderMs = 60'000;
constexpr std::size_t kRecordsAtOnce = 1000;
constexpr std::size_t kBytesAtOnce = std::size_t{4} << 20;

}  // namespace

std::string KeyInSpace(codec::SpaceId space, std::string_view suffix) {
  std::string key = codec::SpaceRange(space).begin;
  return key.append(suffix);
}

bool VisitHistoryBack(const storage::Reader& reader, codec::SpaceId history, std::int64_t after_ms,
                      const std::stop_token& stop, base::FunctionRef<void(const HistoryRecord& record)> visit,
                      base::FunctionRef<bool()> group_done) {
  storage::Range rest = HistoryRange(history);
  bool more = true;
  while (more && !stop.stop_requested()) {
    std::size_t count = 0;
    std::size_t bytes = 0;
    bool damaged = false;
    more = false;
    const auto status = reader.Scan(rest, {.reverse = true, .items_max = kRecordsAtOnce},
                                    [&](std::string_view key, std::string_view value) {
                                      const std::optional<HistoryRecord> record = DecodeHistory(value);
                                      damaged = !record;
                                      if (damaged || record->time_ms <= after_ms - kDisorderMs) {
                                        more = false;
                                        return false;
                                      }
                                      if (record->time_ms > after_ms) visit(*record);
                                      rest.end = key;
                                      bytes += value.size();
                                      more = ++count == kRecordsAtOnce || bytes >= kBytesAtOnce;
                                      return !more;
                                    });
    if (damaged || status != storage::Status::kOk || !group_done()) return false;
  }
  return !stop.stop_requested();
}

}  // namespace taula::engine
