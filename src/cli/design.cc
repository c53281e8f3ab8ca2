#include "cli/commands.h"

namespace taula::cli {

void AddDesignCommand(CLI::App& app, int& exit_code) {
  CLI::App* design = app.add_subcommand("design", "Work with design files: check, schema");
  design->require_subcommand(1);
  AddDesignCheckCommand(*design, exit_code);
  AddDesignSchemaCommand(*design, exit_code);
}

}  // namespace taula::cli
