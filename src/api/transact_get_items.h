// TransactGetItems, in process.
#pragma once

#include "api/operation.h"
#include "taula/requests.h"

namespace taula::api {

[[nodiscard]] Result<TransactGetItemsResponse> TransactGetItems(Context& context,
                                                                const TransactGetItemsRequest& request);

}  // namespace taula::api
