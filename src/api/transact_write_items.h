// TransactWriteItems, in process.
#pragma once

#include <functional>

#include "api/operation.h"
#include "taula/requests.h"

namespace taula::api {

void TransactWriteItems(Context& context, TransactWriteItemsRequest request,
                        std::move_only_function<void(Result<TransactWriteItemsResponse>)> done);

}  // namespace taula::api
