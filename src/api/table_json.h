// Descriptions of tables as JSON, with the members that Amazon sends and in
// which cases.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/json_writer.h"
#include "taula/error.h"
#include "taula/table.h"

namespace taula::api {

// "KeySchema": […] and "Projection": {…}
void WriteKey(codec::JsonWriter& json, const std::vector<KeySchemaElement>& key);
void WriteProjection(codec::JsonWriter& json, const Projection& projection);
// "SSEDescription": {…}
void WriteEncryption(codec::JsonWriter& json, const EncryptionDescription& encryption);

void WriteTable(codec::JsonWriter& json, const TableDescription& table);

// {"<member>": {…}}, or the error.
[[nodiscard]] Result<std::string> TableAnswer(std::string_view member, const Result<TableDescription>& table);

}  // namespace taula::api
