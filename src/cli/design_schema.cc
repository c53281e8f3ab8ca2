#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "design/file_schema.h"

namespace taula::cli {

void AddDesignSchemaCommand(CLI::App& design, int& exit_code) {
  design.add_subcommand("schema", "Print the JSON Schema of design files, for editors")->callback([&exit_code] {
    fmt::print("{}", design::DesignFileSchema());
    exit_code = kExitOk;
  });
}

}  // namespace taula::cli
