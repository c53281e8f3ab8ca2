// Going back through the history of a table (history.h), from its newest change.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "codec/key_codec.h"
#include "engine/history.h"
#include "storage/store.h"

namespace taula::engine {

// Shows the changes that were made after `after_ms`, newest first, in groups of
// bounded size; `group_done` is called behind each. False when the store fails, a
// record is damaged, `group_done` says no, or it is stopped.
[[nodiscard]] bool VisitHistoryBack(const storage::Reader& reader, codec::SpaceId history, std::int64_t after_ms,
                                    const std::stop_token& stop,
                                    base::FunctionRef<void(const HistoryRecord& record)> visit,
                                    base::FunctionRef<bool()> group_done);

// The key in a space of what has this suffix, from its hash on, in others.
[[nodiscard]] std::string KeyInSpace(codec::SpaceId space, std::string_view suffix);

}  // namespace taula::engine
