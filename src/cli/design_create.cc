// `taula design create`: makes a design's tables on any server.
#include <fmt/core.h>

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/design_file.h"
#include "cli/exit_code.h"
#include "client/client.h"
#include "design/remote_backend.h"
#include "design/table_setup.h"

namespace taula::cli {
namespace {

struct CreateOptions {
  std::string design_file;
  std::string endpoint = "http://127.0.0.1:8000";
  std::string stage;
  std::string region;
};

int Complain(ExitCode code, const std::string& message) {
  fmt::print(stderr, "taula: {}\n", message);
  return code;
}

int Create(const CreateOptions& options) {
  const auto design = ReadDesign(FindDesignFile(options.design_file).value_or(options.design_file));
  if (!design) return Complain(kExitDesign, design.error());
  const auto client = client::Client::Open({.endpoint = options.endpoint, .region = options.region});
  if (!client) return Complain(kExitUsage, client.error());
  design::RemoteBackend backend(**client, false);
  const Result<design::TableSetup> setup = design::SetUpTables(*design, options.stage, backend);
  if (!setup) return Complain(kExitFailure, setup.error().message);
  for (const std::string& made : setup->made) fmt::print("{}\n", made);
  for (const std::string& differs : setup->differs) fmt::print("left as it is: {}\n", differs);
  if (setup->made.empty() && setup->differs.empty()) fmt::print("all tables are as the design says\n");
  return kExitOk;
}

}  // namespace

void AddDesignCreateCommand(CLI::App& design, int& exit_code) {
  CLI::App* const command =
      design.add_subcommand("create", "Make a design's tables on a server, or bring them in line with it");
  const auto options = std::make_shared<CreateOptions>();
  command->add_option("design", options->design_file, "The design's file or name")->required()->type_name("FILE");
  command->add_option("--endpoint", options->endpoint, "A server that speaks DynamoDB's API")
      ->type_name("URL")
      ->default_str("http://127.0.0.1:8000");
  command->add_option("--stage", options->stage, "What {stage} in the names of tables is; by default the design's own")
      ->type_name("NAME");
  command->add_option("--region", options->region, "Region to sign for, if not the usual one")->type_name("NAME");
  command->set_help_flag("-h,--help", "Show this help and exit");
  command->callback([options, &exit_code] { exit_code = Create(*options); });
}

}  // namespace taula::cli
