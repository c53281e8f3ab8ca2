// Attributes as JSON Schema (2020-12, which OpenAPI 3.1 uses).
#pragma once

#include "codec/json_writer.h"
#include "design/model.h"

namespace taula::design {

// Writes the schema of a value of the attribute, as callers of operations give
// and get it.
void WriteSchema(codec::JsonWriter& json, const Attribute& attribute);

}  // namespace taula::design
