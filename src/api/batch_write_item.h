// BatchWriteItem, in process.
#pragma once

#include <functional>

#include "api/operation.h"
#include "taula/requests.h"

namespace taula::api {

void BatchWriteItem(Context& context, BatchWriteItemRequest request,
                    std::move_only_function<void(Result<BatchWriteItemResponse>)> done);

}  // namespace taula::api
