// `taula fork`: copies of a database for tests, on a server that runs; or of a
// data folder.
#include <fmt/core.h>
#include <simdjson.h>

#include <cstdlib>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/child_process.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "client/http.h"
#include "client/url.h"
#include "codec/json_writer.h"
#include "database/open.h"

namespace taula::cli {
namespace {

constexpr const char* kExamples =
    "\nExamples:\n"
    "  taula fork                                    prints the endpoint of a new copy\n"
    "  taula fork -- npm test                        runs a command on a copy of its own, and deletes that\n"
    "  taula fork --name worker-1 --idle 60\n"
    "  taula fork --list\n"
    "  taula fork --delete worker-1\n"
    "  taula fork --data ./taula-data --to ./copy    copies a data folder that no server has open\n"
    "\nA command finds its copy in AWS_ENDPOINT_URL_DYNAMODB and AWS_ENDPOINT_URL_DYNAMODB_STREAMS, which Amazon's "
    "SDKs\n"
    "and CLI follow by themselves, and in TAULA_SERVER, which taula does.";

// As a shell has it.
constexpr int kExitCannotRun = 127;

struct ForkOptions {
  std::string endpoint = "http://127.0.0.1:8000";
  std::string name;
  std::optional<std::int64_t> idle_s;
  bool list = false;
  std::string deleted;
  std::vector<std::string> command;
  std::string data;
  std::string to;
};

int Complain(ExitCode code, const std::string& message) {
  fmt::print(stderr, "taula: {}\n", message);
  return code;
}

std::string TextOf(const simdjson::dom::element& object, const char* member) {
  std::string_view text;
  return object[member].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

// The forks of a server. Errors are lines for a person.
class ForkClient {
 public:
  explicit ForkClient(const client::Url& url) : url_(url), connection_(url) {}

  struct Made {
    std::string name;
    std::string endpoint;
  };

  std::expected<Made, std::string> Make(const ForkOptions& options) {
    std::string body;
    codec::JsonWriter json(body);
    json.BeginObject();
    if (!options.name.empty()) json.Key("name").String(options.name);
    if (options.idle_s) json.Key("idleSeconds").Integer(*options.idle_s);
    json.EndObject();
    const auto answer = Ask("POST", "/forks", body);
    if (!answer) return std::unexpected(answer.error());
    return Made{TextOf(*answer, "name"), TextOf(*answer, "endpoint")};
  }

  std::expected<void, std::string> Delete(const std::string& name) {
    const auto answer = Ask("DELETE", "/forks/" + name);
    if (!answer) return std::unexpected(answer.error());
    return {};
  }

  std::expected<void, std::string> PrintAll() {
    const auto answer = Ask("GET", "/forks");
    if (!answer) return std::unexpected(answer.error());
    simdjson::dom::array forks;
    if ((*answer)["forks"].get(forks) != simdjson::SUCCESS) return std::unexpected(NotOurs());
    for (const simdjson::dom::element fork : forks) {
      const std::string origin = TextOf(fork, "forkOf");
      fmt::print("{:24} {:32} {}{}\n", TextOf(fork, "name"), TextOf(fork, "endpoint"), TextOf(fork, "createdAt"),
                 origin.empty() ? "" : "  of " + origin);
    }
    return {};
  }

 private:
  [[nodiscard]] std::string NotOurs() const {
    return fmt::format("{} has no forks; is it a Taula server?", url_.Origin());
  }

  // The answer is good until the next is asked for.
  std::expected<simdjson::dom::element, std::string> Ask(const char* method, const std::string& target,
                                                         std::string_view body = {}) {
    client::HttpRequest request{.method = method, .target = target, .body = body};
    if (!body.empty()) request.fields.emplace_back("Content-Type", "application/json");
    const auto answer = connection_.Send(request);
    if (!answer) {
      return std::unexpected(
          fmt::format("Cannot reach {}: {}. Is `taula serve` running there?", url_.Origin(), answer.error().what));
    }
    simdjson::dom::element json;
    simdjson::dom::element error;
    if (parser_.parse(answer->body).get(json) != simdjson::SUCCESS) return std::unexpected(NotOurs());
    if (json["error"].get(error) == simdjson::SUCCESS) return std::unexpected(TextOf(error, "message"));
    if (answer->status >= 300) return std::unexpected(NotOurs());
    return json;
  }

  client::Url url_;
  client::HttpConnection connection_;
  simdjson::dom::parser parser_;
};

// With the fork's endpoint where the SDKs look for it.
int RunOnFork(ForkClient& forks, const ForkClient::Made& fork, const std::vector<std::string>& command) {
  for (const char* const variable :
       {"AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_DYNAMODB_STREAMS", "TAULA_SERVER"}) {
    ::setenv(variable, fork.endpoint.c_str(), 1);
  }
  const auto ended = RunAndWait(command);
  if (const auto deleted = forks.Delete(fork.name); !deleted) fmt::print(stderr, "taula: {}\n", deleted.error());
  if (ended) return *ended;
  fmt::print(stderr, "taula: {} cannot be run: {}; a name for the fork is given with --name\n", command.front(),
             ended.error());
  return kExitCannotRun;
}

int CopyFolder(const ForkOptions& options) {
  if (options.data.empty() || options.to.empty()) {
    return Complain(kExitUsage, "copying a folder needs both --data FOLDER and --to FOLDER");
  }
  const auto copied = database::CopyFolder(options.data, options.to);
  return copied ? kExitOk : Complain(kExitNoData, copied.error().message);
}

int Run(const ForkOptions& options) {
  if (!options.data.empty() || !options.to.empty()) return CopyFolder(options);
  const auto url = client::ParseUrl(options.endpoint);
  if (!url) return Complain(kExitUsage, url.error());
  ForkClient forks(*url);
  if (options.list || !options.deleted.empty()) {
    const auto done = options.list ? forks.PrintAll() : forks.Delete(options.deleted);
    return done ? kExitOk : Complain(kExitFailure, done.error());
  }
  const auto fork = forks.Make(options);
  if (!fork) return Complain(kExitFailure, fork.error());
  if (!options.command.empty()) return RunOnFork(forks, *fork, options.command);
  fmt::print("{}\n", fork->endpoint);
  return kExitOk;
}

}  // namespace

void AddForkCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("fork", "Make a copy of a running server's database for tests, in milliseconds");
  const auto options = std::make_shared<ForkOptions>();
  command->add_option("command", options->command, "A command to run on the copy, behind --")->type_name("COMMAND");
  command->add_option("--endpoint", options->endpoint, "The server, or another fork of it")
      ->envname("TAULA_SERVER")
      ->type_name("URL")
      ->default_str("http://127.0.0.1:8000");
  command->add_option("--name", options->name, "A name for the copy; by default the server finds one")
      ->type_name("NAME");
  command
      ->add_option("--idle", options->idle_s,
                   "Seconds without a connection after which the copy goes by itself; 0: it stays")
      ->check(CLI::Range(0, 30 * 24 * 60 * 60).description(""))
      ->type_name("SECONDS")
      ->default_str("600");
  CLI::Option* const list = command->add_flag("--list", options->list, "List the copies that there are");
  command->add_option("--delete", options->deleted, "Delete the copy of this name")->type_name("NAME")->excludes(list);
  command->add_option("--data", options->data, "Copy this data folder instead, which no server has open")
      ->type_name("FOLDER");
  command->add_option("--to", options->to, "Where to; it must not exist yet")->type_name("FOLDER");
  command->footer(kExamples);
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace taula::cli
