#include "cli/command_line.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/dynamodb_local.h"
#include "cli/exit_code.h"
#include "cli/help_format.h"

namespace taula::cli {
namespace {

constexpr std::string_view kDescription =
    "Taula is a DynamoDB-compatible database that understands single-table designs.";

constexpr std::string_view kFooter =
    "\nExamples:\n"
    "  taula serve                     a database on port 8000, its data in ./taula-data\n"
    "  taula serve --memory            a database that forgets everything when it ends\n"
    "  taula -port 8001 -inMemory      the options of DynamoDB Local work as well\n"
    "\n'taula COMMAND --help' tells more about a command.";

// What went wrong on one line, and where to read on.
int ComplainAboutUsage(const CLI::App& app, const CLI::ParseError& error) {
  std::string message = error.what();
  std::ranges::replace(message, '\n', ' ');
  const auto commands = app.get_subcommands();
  const std::string command = commands.empty() ? "taula" : "taula " + commands.front()->get_name();
  fmt::print(stderr, "taula: {}. '{} --help' lists the options.\n", message, command);
  return kExitUsage;
}

}  // namespace

int Run(std::vector<std::string> arguments) {
  int exit_code = kExitOk;
  CLI::App app{std::string(kDescription), "taula"};
  app.formatter(std::make_shared<HelpFormat>());
  app.set_version_flag("--version", std::string("taula ") + Version(), "Say which version this is and exit");
  app.set_help_flag("-h,--help", "Show this help and exit");
  app.footer(std::string(kFooter));
  app.require_subcommand(0, 1);
  AddServeCommand(app, exit_code);
  AddCallCommand(app, exit_code);
  AddCopyCommand(app, exit_code);
  CLI::App* const design = app.add_subcommand("design", "Work with designs");
  design->set_help_flag("-h,--help", "Show this help and exit");
  design->require_subcommand(1);
  AddDesignCheckCommand(*design, exit_code);
  AddDesignSchemaCommand(*design, exit_code);
  AddDesignCreateCommand(*design, exit_code);
  AddDesignSeedCommand(*design, exit_code);
  AddExplainCommand(app, exit_code);
  AddExportCommand(app, exit_code);
  AddFaultsCommand(app, exit_code);
  AddForkCommand(app, exit_code);
  AddImportCommand(app, exit_code);
  AddTailCommand(app, exit_code);
  AddTriggerCommand(app, exit_code);
  AddVersionCommand(app, exit_code);

  arguments = TranslateDynamoDbLocal(std::move(arguments));
  if (arguments.empty()) arguments = {"--help"};
  std::ranges::reverse(arguments);  // CLI11 takes them from the back
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return ComplainAboutUsage(app, error);
  }
  return exit_code;
}

}  // namespace taula::cli
