// Query, in process.
#pragma once

#include "api/operation.h"
#include "taula/requests.h"

namespace taula::api {

[[nodiscard]] Result<PageResponse> Query(Context& context, QueryRequest request);

}  // namespace taula::api
