// GetItem, in process.
#pragma once

#include "api/operation.h"
#include "taula/requests.h"

namespace taula::api {

[[nodiscard]] Result<GetItemResponse> GetItem(Context& context, const GetItemRequest& request);

}  // namespace taula::api
