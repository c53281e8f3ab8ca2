// `taula serve`: opens the database and puts a server in front of it.
#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <expected>
#include <memory>
#include <string>
#include <utility>

#include "base/log.h"
#include "cli/commands.h"
#include "cli/descriptors.h"
#include "cli/exit_code.h"
#include "cli/fault_file.h"
#include "cli/fork_routes.h"
#include "cli/forks.h"
#include "cli/serve_options.h"
#include "cli/served_database.h"
#include "cli/served_designs.h"
#include "cli/signals.h"
#include "cli/start_message.h"
#include "database/open.h"

namespace taula::cli {
namespace {

constexpr std::chrono::seconds kPatience(10);

constexpr const char* kExamples =
    "\nExamples:\n"
    "  taula serve --data ~/orders --port 8001\n"
    "  taula serve --memory --log-level warning         for tests and CI\n"
    "  TAULA_PORT=8001 TAULA_MEMORY=true taula serve    nearly every option is a variable, too\n"
    "\nThe options of DynamoDB Local are understood: -port, -inMemory, -dbPath, -sharedDb.";

int Complain(ExitCode code, const std::string& message) {
  fmt::print(stderr, "taula: {}\n", message);
  return code;
}

DatabaseOptions ToDatabaseOptions(const ServeOptions& options) {
  return {.path = options.data,
          .in_memory = options.memory,
          .durability = options.relaxed ? Durability::kRelaxed : Durability::kSync,
          .cache_bytes = options.cache_bytes,
          .region = options.region,
          .account = options.account,
          .expiry_interval = std::chrono::seconds(options.ttl_interval_s),
          .throttle = options.throttle};
}

ForkSettings ToForkSettings(const ServeOptions& options, const server::Limits& limits) {
  return {.address = options.listen,
          .region = options.region,
          .ports = options.fork_ports,
          .count_max = options.forks_max,
          .limits = limits};
}

std::string WhyNotListening(const ServeOptions& options, const server::ListenError& error) {
  using Kind = server::ListenError::Kind;
  const std::string where = fmt::format("{}:{}", options.listen, options.port);
  switch (error.kind) {
    case Kind::kAddressInUse:
      return fmt::format("{} is in use by another process; stop it, or choose another with --port", where);
    case Kind::kNotPermitted:
      return fmt::format("no permission to listen on {}; choose a port above 1023 with --port", where);
    case Kind::kBadAddress:
      return fmt::format("cannot listen on {}: this machine has no such address; choose another with --listen", where);
    case Kind::kOther:
      break;
  }
  return fmt::format("cannot listen on {}: {}", where, error.message);
}

// Lays the designs over the tables, and lets go on what was under way.
std::expected<void, std::string> MakeReady(ServedDatabase& database, const ServedDesigns& designs, bool seed) {
  if (auto installed = designs.InstallOn(database.engine(), database.backend()); !installed) return installed;
  if (!seed) return {};
  return designs.Seed(database.engine(), database.backend());
}

int Serve(const ServeOptions& options) {
  if (const auto conflict = FindConflict(options)) return Complain(kExitUsage, *conflict);
  base::StartLog(options.log_level, options.log_format);
  server::Limits limits;
  limits.connections_max = ConnectionsWithin(RaiseDescriptorLimit(), limits.connections_max);
  StopSignals signals;

  const auto faults = ReadFaults(options.faults_file, options.faults);
  if (!faults) return Complain(kExitUsage, faults.error());
  const auto designs = ServedDesigns::Load(options.designs, options.stage);
  if (!designs) return Complain(kExitDesign, designs.error());
  auto engine = database::OpenEngine(ToDatabaseOptions(options), BucketsFolder(options));
  if (!engine) return Complain(kExitNoData, engine.error().message);
  ServedDatabase database(*std::move(engine), *designs);
  if (const auto ready = MakeReady(database, *designs, options.seed); !ready)
    return Complain(kExitDesign, ready.error());
  if (!faults->empty()) database.service().SetFaults(*faults);
  Forks forks(ToForkSettings(options, limits), database, *designs);
  ForkRoutes fork_routes(forks, "");
  const auto listening = database.Listen({.address = options.listen,
                                          .port = options.port,
                                          .threads = options.threads,
                                          .region = options.region,
                                          .limits = limits},
                                         {&fork_routes});
  if (!listening) return Complain(kExitCannotListen, WhyNotListening(options, listening.error()));

  fmt::print("{}", StartMessage(options, database.server().port(), designs->all()));
  std::fflush(stdout);
  const int signal = signals.Await();
  base::Log(base::LogLevel::kInfo, "{}: finishing the requests in flight", signal == SIGINT ? "SIGINT" : "SIGTERM");
  forks.Stop();
  database.Stop(kPatience);
  base::Log(base::LogLevel::kInfo, "stopped");
  return kExitOk;
}

}  // namespace

void AddServeCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("serve", "Run the database server");
  const auto options = std::make_shared<ServeOptions>();
  AddServeOptions(*command, *options);
  command->set_help_flag("-h,--help", "Show this help and exit");
  command->footer(kExamples);
  command->callback([options, &exit_code] { exit_code = Serve(*options); });
}

}  // namespace taula::cli
