// The subcommands, each in the file of its name.
#pragma once

#include <CLI/CLI.hpp>

namespace taula::cli {

// Each adds itself to the command line. When it is the one that was called, it
// runs while the command line is parsed and leaves its exit code.
void AddCallCommand(CLI::App& app, int& exit_code);
void AddCopyCommand(CLI::App& app, int& exit_code);
void AddExplainCommand(CLI::App& app, int& exit_code);
void AddExportCommand(CLI::App& app, int& exit_code);
void AddFaultsCommand(CLI::App& app, int& exit_code);
void AddForkCommand(CLI::App& app, int& exit_code);
void AddImportCommand(CLI::App& app, int& exit_code);
void AddServeCommand(CLI::App& app, int& exit_code);
void AddTailCommand(CLI::App& app, int& exit_code);
void AddTriggerCommand(CLI::App& app, int& exit_code);
void AddVersionCommand(CLI::App& app, int& exit_code);

// Those of `taula design`.
void AddDesignCheckCommand(CLI::App& design, int& exit_code);
void AddDesignSchemaCommand(CLI::App& design, int& exit_code);
void AddDesignCreateCommand(CLI::App& design, int& exit_code);
void AddDesignSeedCommand(CLI::App& design, int& exit_code);

[[nodiscard]] const char* Version();

}  // namespace taula::cli
