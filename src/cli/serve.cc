// `taula serve`: opens the database and puts a server in front of it.
#include <fmt/core.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/operations.h"
#include "base/log.h"
#include "cli/api_handler.h"
#include "cli/blocking_worker.h"
#include "cli/cloudwatch_handler.h"
#include "cli/commands.h"
#include "cli/design_routes.h"
#include "cli/exit_code.h"
#include "cli/fault_file.h"
#include "cli/fault_routes.h"
#include "cli/metrics_page.h"
#include "cli/serve_options.h"
#include "cli/served_designs.h"
#include "cli/signals.h"
#include "cli/start_message.h"
#include "cloudwatch/service.h"
#include "database/open.h"
#include "design/local_backend.h"
#include "server/server.h"

namespace taula::cli {
namespace {

constexpr std::chrono::seconds kPatience(10);
// Operations of designs wait for their answers, and some hash passwords.
constexpr std::size_t kDesignThreads = 8;
constexpr std::size_t kMetricRequestsMax = 256;

constexpr const char* kExamples =
    "\nExamples:\n"
    "  taula serve --data ~/orders --port 8001\n"
    "  taula serve --memory --log-level warning         for tests and CI\n"
    "  TAULA_PORT=8001 TAULA_MEMORY=true taula serve    every option is a variable, too\n"
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

// Each connection takes a descriptor, and so does each of the store's files.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::vector<design::ServedDesign> ForExplaining(const ServedDesigns& designs) {
  std::vector<design::ServedDesign> served;
  for (const design::Design* const each : designs.all()) served.push_back({each, designs.stage()});
  return served;
}

int Serve(const ServeOptions& options) {
  if (const auto conflict = FindConflict(options)) return Complain(kExitUsage, *conflict);
  base::StartLog(options.log_level, options.log_format);
  RaiseDescriptorLimit();
  StopSignals signals;

  const auto faults = ReadFaults(options.faults_file, options.faults);
  if (!faults) return Complain(kExitUsage, faults.error());
  const auto designs = ServedDesigns::Load(options.designs, options.stage);
  if (!designs) return Complain(kExitDesign, designs.error());
  auto engine = database::OpenEngine(ToDatabaseOptions(options), BucketsFolder(options));
  if (!engine) return Complain(kExitNoData, engine.error().message);
  api::Service service(**engine);
  design::LocalBackend backend(service, true);
  if (const auto installed = designs->InstallOn(**engine, backend); !installed) {
    return Complain(kExitDesign, installed.error());
  }
  (*engine)->TakeUpTransfers();
  if (options.seed) {
    if (const auto seeded = designs->Seed(**engine, backend); !seeded) return Complain(kExitDesign, seeded.error());
  }
  if (!faults->empty()) service.SetFaults(*faults);
  ApiHandler handler(service, ForExplaining(*designs));
  const cloudwatch::Service cloudwatch({.log = (*engine)->metrics(),
                                        .clock = *(*engine)->options().clock,
                                        .catalog = (*engine)->catalog(),
                                        .keys = (*engine)->key_counts()});
  BlockingWorker metrics_worker(kMetricRequestsMax);
  CloudWatchHandler cloudwatch_handler(cloudwatch, metrics_worker);
  MetricsPage metrics_page(**engine, metrics_worker);
  std::optional<DesignRoutes> design_routes;
  FaultRoutes fault_routes(service);
  std::vector<server::RouteHandler*> routes = {&fault_routes, &metrics_page};
  if (!options.designs.empty()) {
    routes.push_back(&design_routes.emplace(designs->all(), designs->stage(), backend, kDesignThreads));
  }
  const auto server = server::Server::Start(
      {.address = options.listen, .port = options.port, .threads = options.threads, .region = options.region}, handler,
      routes, {&cloudwatch_handler});
  if (!server) return Complain(kExitCannotListen, WhyNotListening(options, server.error()));

  metrics_page.TellOf(server->get());
  fmt::print("{}", StartMessage(options, (*server)->port(), designs->all()));
  std::fflush(stdout);
  const int signal = signals.Await();
  base::Log(base::LogLevel::kInfo, "{}: finishing the requests in flight", signal == SIGINT ? "SIGINT" : "SIGTERM");
  (*server)->Stop(kPatience);
  handler.Finish();
  metrics_worker.Finish();
  if (design_routes) design_routes->Finish();
  engine->reset();
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
