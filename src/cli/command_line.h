// The `taula` command: finds the subcommand and runs it.
#pragma once

#include <string>
#include <vector>

namespace taula::cli {

// Takes the arguments without the program's name; returns the exit code.
[[nodiscard]] int Run(std::vector<std::string> arguments);

}  // namespace taula::cli
