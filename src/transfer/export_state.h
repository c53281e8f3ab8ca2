// How far an export is, as kept beside its file: up to this length the file has
// exactly the items before these places of the scan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace taula::transfer {

struct ExportState {
  std::string of;  // what is exported, and how; another export cannot go on with it
  std::uint64_t length = 0;
  std::uint64_t bytes = 0;  // before compression
  std::string positions;    // of TableScan

  [[nodiscard]] std::string Text() const;
  // Nothing when the text is none of Text's.
  [[nodiscard]] static std::optional<ExportState> Parse(std::string_view text);
};

}  // namespace taula::transfer
