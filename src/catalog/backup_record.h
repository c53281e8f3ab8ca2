// A backup as the store keeps it (docs/formats.md).
#pragma once

#include <optional>

#include "catalog/backup.h"
#include "taula/value.h"

namespace taula::catalog {

[[nodiscard]] Item EncodeBackup(const Backup& backup);

// Nothing when the item is not a backup's record. Attributes it does not know
// are ignored.
[[nodiscard]] std::optional<Backup> DecodeBackup(ValueView view);

}  // namespace taula::catalog
