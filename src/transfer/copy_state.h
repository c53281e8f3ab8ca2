// How far the copy of a table is, as a file keeps it between two runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace taula::transfer {

struct CopyState {
  std::string from;   // addresses of the servers
  std::string table;  // at the source
  std::string to;
  std::string as;  // its name at the target

  bool follows = true;
  std::string stream;         // StreamFollower's checkpoint
  std::string scan;           // TableScan's positions; empty: none yet
  std::uint64_t changes = 0;  // taken over from the stream
  std::int64_t held_ms = 0;   // the stream was read or held at this time

  // The same copy, maybe at another place.
  [[nodiscard]] bool IsOf(const CopyState& other) const {
    return from == other.from && table == other.table && to == other.to && as == other.as;
  }
};

[[nodiscard]] std::string ToText(const CopyState& state);
[[nodiscard]] std::optional<CopyState> CopyStateFrom(std::string_view text);

// The file's name: the servers and the table's names, with nothing in it that a
// file system minds.
[[nodiscard]] std::string StateFileName(const CopyState& state);

}  // namespace taula::transfer
