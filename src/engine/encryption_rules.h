// What may be asked for of a table's encryption.
#pragma once

#include <optional>

#include "taula/error.h"
#include "taula/table.h"

namespace taula::engine {

[[nodiscard]] Result<void> CheckEncryption(const std::optional<EncryptionSpecification>& encryption);

// Whether a key of one's own is asked for; naming its type is enough.
[[nodiscard]] bool AsksForKey(const EncryptionSpecification& encryption);

}  // namespace taula::engine
