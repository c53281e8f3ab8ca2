// BatchGetItem, in process.
#pragma once

#include "api/operation.h"
#include "taula/requests.h"

namespace taula::api {

[[nodiscard]] Result<BatchGetItemResponse> BatchGetItem(Context& context, const BatchGetItemRequest& request);

}  // namespace taula::api
