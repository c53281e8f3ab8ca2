// How far an import is: all before this place has been written or refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace taula::transfer {

struct ImportState {
  std::string of;              // what is imported, and where; another import cannot go on with it
  std::uint64_t file = 0;      // how many files are done
  std::uint64_t position = 0;  // in the next one, uncompressed
  std::uint64_t items = 0;     // read
  std::uint64_t bytes = 0;
  std::uint64_t refused = 0;
  std::uint64_t rejects_bytes = 0;  // of the file that they are in

  [[nodiscard]] std::string Text() const;
  // Nothing when the text is none of Text's.
  [[nodiscard]] static std::optional<ImportState> Parse(std::string_view text);
};

}  // namespace taula::transfer
