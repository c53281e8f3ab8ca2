#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/exit_code.h"

namespace taula::cli {

const char* Version() { return TAULA_VERSION; }

void AddVersionCommand(CLI::App& app, int& exit_code) {
  app.add_subcommand("version", "Say which version this is")->callback([&exit_code] {
    fmt::print("taula {}\n", Version());
    exit_code = kExitOk;
  });
}

}  // namespace taula::cli
