// A design's operations as an OpenAPI 3.1 document, for clients to be made from.
#pragma once

#include <string>

#include "design/model.h"

namespace taula::design {

// Each operation as POST /designs/<design>/<operation>.
[[nodiscard]] std::string OpenApiDocument(const Design& design);

}  // namespace taula::design
