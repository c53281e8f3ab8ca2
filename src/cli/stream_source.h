// The stream of a table on some server, as `taula tail` and `taula trigger` are
// given it on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <expected>
#include <string>

#include "cli/table_source.h"
#include "client/stream_follower.h"

namespace taula::cli {

struct StreamSource : TableSource {
  std::string from = "now";
};

// `source` must live until the command line has been parsed.
void AddStreamSource(CLI::App& command, StreamSource& source);

// Does not connect yet. The error is a sentence.
[[nodiscard]] std::expected<client::StreamFollower, std::string> Follow(const StreamSource& source);

// Waits a little after a poll: as long as there is nothing, longer. `failures`
// in a row make it longer still.
void WaitBetweenPolls(std::size_t records, std::size_t failures);

}  // namespace taula::cli
