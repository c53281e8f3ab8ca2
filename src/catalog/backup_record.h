// A backup as the store keeps it (docs/formats.md).
#pragma once

#include <optional>
#include <string_view>

#include "catalog/backup.h"
#include "catalog/record_set.h"
#include "taula/value.h"

namespace taula::catalog {

// Attributes that are not known are ignored.
template <>
struct RecordKind<Backup> {
  static constexpr std::string_view kPrefix = "Cb";
  static constexpr std::string_view kName = "a backup";
  [[nodiscard]] static Item Encode(const Backup& backup);
  [[nodiscard]] static std::optional<Backup> Decode(ValueView view);
};

using BackupSet = RecordSet<Backup>;

}  // namespace taula::catalog
