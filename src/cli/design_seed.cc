// `taula design seed`: loads a design's example data.
#include <fmt/core.h>

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/design_file.h"
#include "cli/exit_code.h"
#include "cli/keeps_design.h"
#include "client/client.h"
#include "design/remote_backend.h"
#include "design/seed.h"

namespace taula::cli {
namespace {

struct SeedOptions {
  std::string design_file;
  std::string endpoint = "http://127.0.0.1:8000";
  std::string seed_file;
  std::string stage;
  std::string region;
};

int Complain(ExitCode code, const std::string& message) {
  fmt::print(stderr, "taula: {}\n", message);
  return code;
}

int Seed(const SeedOptions& options) {
  const auto design = ReadDesign(FindDesignFile(options.design_file).value_or(options.design_file));
  if (!design) return Complain(kExitDesign, design.error());
  const auto client = client::Client::Open({.endpoint = options.endpoint, .region = options.region});
  if (!client) return Complain(kExitUsage, client.error());
  design::RemoteBackend backend(**client, KeepsDesign(*design, options.stage, (*client)->endpoint()));
  const std::string file = options.seed_file.empty() ? design::SeedPath(*design) : options.seed_file;
  const auto count = design::LoadSeedFile(*design, options.stage, file, backend);
  if (!count) return Complain(kExitFailure, count.error());
  fmt::print("{}: {} items\n", file, *count);
  return kExitOk;
}

}  // namespace

void AddDesignSeedCommand(CLI::App& design, int& exit_code) {
  CLI::App* const command = design.add_subcommand("seed", "Load the example data that lies beside a design");
  const auto options = std::make_shared<SeedOptions>();
  command->add_option("design", options->design_file, "The design's file or name")->required()->type_name("FILE");
  command->add_option("--seed", options->seed_file, "The data, if it is not seed.yaml beside the design")
      ->type_name("FILE");
  command->add_option("--endpoint", options->endpoint, "A server that speaks DynamoDB's API, where the tables are")
      ->type_name("URL")
      ->default_str("http://127.0.0.1:8000");
  command->add_option("--stage", options->stage, "What {stage} in the names of tables is; by default the design's own")
      ->type_name("NAME");
  command->add_option("--region", options->region, "Region to sign for, if not the usual one")->type_name("NAME");
  command->set_help_flag("-h,--help", "Show this help and exit");
  command->callback([options, &exit_code] { exit_code = Seed(*options); });
}

}  // namespace taula::cli
