// Imports as JSON, with the members that Amazon sends and in which cases.
#pragma once

#include <string>

#include "api/operation.h"
#include "catalog/import.h"
#include "codec/json_writer.h"

namespace taula::api {

// What a description and an element of a list have alike: members of an object.
void WriteImportSummary(codec::JsonWriter& json, Context& context, const catalog::Import& job);

// {"ImportTableDescription": {…}}
[[nodiscard]] std::string ImportAnswer(Context& context, const catalog::Import& job);

}  // namespace taula::api
