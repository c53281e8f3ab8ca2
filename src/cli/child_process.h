// Runs another program in place of this one, as far as whoever started this one
// can tell.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace taula::cli {

// Waits for the program's end and returns what a shell would say of it: its exit
// code, or 128 and the number of the signal that ended it. Signals that ask this
// process to end meanwhile are for the program. The error is a sentence's end.
[[nodiscard]] std::expected<int, std::string> RunAndWait(std::vector<std::string> command);

}  // namespace taula::cli
