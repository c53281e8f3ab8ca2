// An export as the store keeps it (docs/formats.md).
#pragma once

#include <optional>
#include <string_view>

#include "catalog/export.h"
#include "catalog/record_set.h"
#include "taula/value.h"

namespace taula::catalog {

template <>
struct RecordKind<Export> {
  static constexpr std::string_view kPrefix = "Cp";
  static constexpr std::string_view kName = "an export";
  [[nodiscard]] static Item Encode(const Export& record);
  [[nodiscard]] static std::optional<Export> Decode(ValueView view);
};

using ExportSet = RecordSet<Export>;

}  // namespace taula::catalog
