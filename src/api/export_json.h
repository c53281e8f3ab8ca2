// Exports as JSON, with the members that Amazon sends and in which cases.
#pragma once

#include <string>

#include "api/operation.h"
#include "catalog/export.h"

namespace taula::api {

// {"ExportDescription": {…}}
[[nodiscard]] std::string ExportAnswer(Context& context, const catalog::Export& job);

}  // namespace taula::api
