// Scan, in process.
#pragma once

#include "api/operation.h"
#include "taula/requests.h"

namespace taula::api {

[[nodiscard]] Result<PageResponse> Scan(Context& context, ScanRequest request);

}  // namespace taula::api
