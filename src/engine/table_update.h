// UpdateTable: what a request changes of a table, and what it is answered.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "catalog/table.h"
#include "codec/key_codec.h"
#include "taula/error.h"
#include "taula/table_requests.h"

namespace taula::engine {

struct UpdateContext {
  std::string_view region;
  std::string_view account;
  std::int64_t now_ms = 0;
  std::function<Result<codec::SpaceId>()> new_space;
};

// Changes the table, or tells what of the request does not fit it. A new index
// is left to be filled (backfill.h); a deleted one is gone.
[[nodiscard]] Result<void> ApplyUpdate(const UpdateTableRequest& request, const UpdateContext& context,
                                       catalog::Table& table);

// The description that the request is answered with. Like Amazon's it shows
// the change under way: in places what was before, in places what will be.
[[nodiscard]] TableDescription DescribeUpdating(const UpdateTableRequest& request, const TableDescription& before,
                                                TableDescription after);

// A stream's label: the time it was enabled.
[[nodiscard]] std::string StreamLabel(std::int64_t now_ms);

// "Attempt to change a resource which is still in use: <why>".
[[nodiscard]] std::unexpected<Error> InUse(std::string_view why);

// "Requested resource not found: Table: <name> not found".
[[nodiscard]] std::unexpected<Error> TableNotFound(std::string_view name);

}  // namespace taula::engine
