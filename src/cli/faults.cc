// `taula faults`: what goes wrong on purpose on a server that runs.
#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/fault_file.h"
#include "cli/pretty_json.h"
#include "client/http.h"
#include "client/url.h"

namespace taula::cli {
namespace {

struct FaultsOptions {
  std::string endpoint = "http://127.0.0.1:8000";
  std::string file;
  std::vector<std::string> added;
  bool clear = false;
};

constexpr const char* kExamples =
    "\nExamples:\n"
    "  taula faults                                             what goes wrong now\n"
    "  taula faults --fault 'throttle=0.05 operations=PutItem'  every twentieth PutItem is throttled\n"
    "  taula faults --fault index-lag=300ms --fault stale-reads=0.2\n"
    "  taula faults --file profile.yaml\n"
    "  taula faults --clear";

int Complain(ExitCode code, const std::string& message) {
  fmt::print(stderr, "taula: {}\n", message);
  return code;
}

int Run(const FaultsOptions& options) {
  const auto profile = ReadFaults(options.file, options.added);
  if (!profile) return Complain(kExitUsage, profile.error());
  const auto url = client::ParseUrl(options.endpoint);
  if (!url) return Complain(kExitUsage, url.error());
  const bool sets = !options.file.empty() || !options.added.empty();
  const std::string body = FaultsJson(*profile);
  client::HttpRequest request{.method = sets ? "PUT" : (options.clear ? "DELETE" : "GET"), .target = "/faults"};
  if (sets) {
    request.fields.emplace_back("Content-Type", "application/json");
    request.body = body;
  }
  client::HttpConnection connection(*url);
  const auto answer = connection.Send(request);
  if (!answer) {
    return Complain(kExitFailure, fmt::format("Cannot reach {}: {}", url->Origin(), answer.error().what));
  }
  if (answer->status != 200) {
    return Complain(kExitFailure, fmt::format("{} has no faults to set; is it a Taula server?", url->Origin()));
  }
  fmt::print("{}\n", PrettyJson(answer->body));
  return kExitOk;
}

}  // namespace

void AddFaultsCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("faults", "Show or set what goes wrong on purpose on a running server");
  const auto options = std::make_shared<FaultsOptions>();
  command->add_option("--endpoint", options->endpoint, "The server")
      ->type_name("URL")
      ->default_str("http://127.0.0.1:8000");
  CLI::Option* const file =
      command->add_option("--file", options->file, "A profile, in place of what is set")->type_name("FILE");
  CLI::Option* const fault =
      command->add_option("--fault", options->added, "Settings, as name=value; may be given several times")
          ->type_name("SETTINGS");
  command->add_flag("--clear", options->clear, "Nothing goes wrong any more")->excludes(file)->excludes(fault);
  command->footer(kExamples);
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace taula::cli
