// Reading several items as one state of the database, as transactions do.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "api/operation.h"
#include "base/function_ref.h"
#include "engine/stored_view.h"
#include "taula/capacity.h"
#include "taula/error.h"

namespace taula::api {

// Shows each item that there is to `sink`. Returns what that cost, by table.
// Fails when the items come to more than a transaction can hold.
[[nodiscard]] Result<std::vector<ConsumedCapacity>> ReadTogether(
    Context& context, std::span<const engine::KeyInTable> keys,
    base::FunctionRef<void(std::size_t index, ValueView item)> sink);

}  // namespace taula::api
