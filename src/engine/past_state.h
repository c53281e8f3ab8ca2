// A table as it was at some time within the window of its history (history.h).
#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>

#include "base/function_ref.h"
#include "catalog/table.h"
#include "codec/key_codec.h"
#include "storage/store.h"

namespace taula::engine {

// Shows each item that the table had at `time_ms`, as stored, in the order of
// their keys. What has changed since is gathered in the space `scratch`, which
// nobody else uses and the caller erases afterwards. False when the store fails,
// or it is stopped.
[[nodiscard]] bool VisitPast(storage::Store& store, const catalog::Table& table, std::int64_t time_ms,
                             codec::SpaceId scratch, const std::stop_token& stop,
                             base::FunctionRef<bool(std::string_view stored)> visit);

}  // namespace taula::engine
