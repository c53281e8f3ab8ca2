// Smithy RPC v2 CBOR: bodies are CBOR (RFC 8949), of which it uses a part. Times
// are seconds since 1970 with the tag 1.
#pragma once

#include <string_view>

#include "cloudwatch/protocol.h"

namespace taula::cloudwatch {

[[nodiscard]] Outcome<Document> ReadCbor(std::string_view body);
[[nodiscard]] HttpAnswer WriteCbor(const Document& output);

}  // namespace taula::cloudwatch
