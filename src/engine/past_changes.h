// What has changed in a table between two times within the window of its history
// (history.h): each item once, as it was and as it became.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>

#include "base/function_ref.h"
#include "catalog/table.h"
#include "codec/key_codec.h"
#include "storage/store.h"

namespace taula::engine {

struct PastChange {
  std::int64_t last_write_ms = 0;
  std::optional<std::string_view> before;  // as stored
  std::optional<std::string_view> after;
};

// Shows each item that was written from `from_ms` on and before `to_ms`, in the
// order of their keys, but for those that were made and deleted in between. With
// the table as it was just before `from_ms` (past_state.h), this gives the table
// as it was just before `to_ms`. `scratch` is a space that nobody else uses and
// the caller erases. False when the store fails, `visit` says no, or it is
// stopped.
[[nodiscard]] bool VisitChanges(storage::Store& store, const catalog::Table& table, std::int64_t from_ms,
                                std::int64_t to_ms, codec::SpaceId scratch, const std::stop_token& stop,
                                base::FunctionRef<bool(const PastChange& change)> visit);

}  // namespace taula::engine
