// An import as the store keeps it (docs/formats.md).
#pragma once

#include <optional>
#include <string_view>

#include "catalog/import.h"
#include "catalog/record_set.h"
#include "taula/value.h"

namespace taula::catalog {

template <>
struct RecordKind<Import> {
  static constexpr std::string_view kPrefix = "Ci";
  static constexpr std::string_view kName = "an import";
  [[nodiscard]] static Item Encode(const Import& record);
  [[nodiscard]] static std::optional<Import> Decode(ValueView view);
};

using ImportSet = RecordSet<Import>;

}  // namespace taula::catalog
