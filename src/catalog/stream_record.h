// A stream as the store keeps it (docs/formats.md).
#pragma once

#include <optional>

#include "catalog/stream.h"
#include "taula/value.h"

namespace taula::catalog {

[[nodiscard]] Item EncodeStream(const Stream& stream);

// Nothing when the item is not a stream's record. Attributes it does not know
// are ignored.
[[nodiscard]] std::optional<Stream> DecodeStream(ValueView view);

}  // namespace taula::catalog
