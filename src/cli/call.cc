// `taula call`: runs an operation of a design by its name.
#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/answer_table.h"
#include "cli/commands.h"
#include "cli/design_file.h"
#include "cli/exit_code.h"
#include "cli/keeps_design.h"
#include "cli/operation_help.h"
#include "cli/pretty_json.h"
#include "client/client.h"
#include "client/http.h"
#include "codec/json_writer.h"
#include "design/closest_name.h"
#include "design/load.h"
#include "design/parameters.h"
#include "design/remote_backend.h"
#include "design/run.h"

namespace taula::cli {
namespace {

using design::Failure;
using design::FailureCode;

constexpr const char* kExamples =
    "\nExamples:\n"
    "  taula call kefir                                what operations there are\n"
    "  taula call kefir listBatches userId=123\n"
    "  taula call kefir listBatches userId=123 --endpoint https://dynamodb.eu-west-1.amazonaws.com --stage prod\n"
    "  taula call store createOrder --json order.json\n"
    "  taula call kefir userData userId=123 --then batchData --format csv > user.csv\n"
    "\nWithout --endpoint the operation runs on a Taula that serves the design. With it, it runs from here, on any\n"
    "server that speaks DynamoDB's API.";

struct CallOptions {
  std::string name;
  std::string operation;
  std::vector<std::string> given;
  std::string design_file;
  std::string endpoint;
  std::string server = "http://127.0.0.1:8000";
  std::string stage;
  std::string region;
  std::string json;
  std::string format = "text";
  std::string then;
  bool help = false;
};

using Answer = std::expected<std::string, Failure>;

std::unexpected<Failure> Fail(FailureCode code, std::string message) {
  return std::unexpected(Failure{code, std::move(message), {}});
}

int Complain(ExitCode code, const std::string& message) {
  fmt::print(stderr, "taula: {}\n", message);
  return code;
}

// "name=value" in two.
std::expected<std::vector<std::pair<std::string, std::string>>, std::string> Split(
    const std::vector<std::string>& given) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& each : given) {
    const std::size_t equals = each.find('=');
    if (equals == std::string::npos || equals == 0) {
      return std::unexpected(fmt::format("a parameter is written name=value, not '{}'", each));
    }
    pairs.emplace_back(each.substr(0, equals), each.substr(equals + 1));
  }
  return pairs;
}

std::expected<std::string, std::string> ReadAll(const std::string& path) {
  std::ostringstream text;
  if (path == "-") {
    text << std::cin.rdbuf();
    return std::move(text).str();
  }
  std::ifstream file(path, std::ios::binary);
  if (!file || !(text << file.rdbuf())) return std::unexpected(fmt::format("{} cannot be read", path));
  return std::move(text).str();
}

// Without the design at hand the server tells a number from a text.
std::string Untyped(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string json = "{";
  for (const auto& [name, text] : pairs) {
    if (json.size() > 1) json.push_back(',');
    codec::AppendStringJson(json, name);
    json.push_back(':');
    if (text.starts_with('[') || text.starts_with('{')) {
      json.append(text);
    } else {
      codec::AppendStringJson(json, text);
    }
  }
  json.push_back('}');
  return json;
}

std::expected<std::string, std::string> ParametersJson(const CallOptions& options, const design::Design* design,
                                                       const design::Operation* operation) {
  if (!options.json.empty()) {
    if (!options.given.empty()) return std::unexpected(std::string("give parameters either here or with --json"));
    return ReadAll(options.json);
  }
  const auto pairs = Split(options.given);
  if (!pairs) return std::unexpected(pairs.error());
  if (design == nullptr) return Untyped(*pairs);
  return design::ParametersFromText(*design, *operation, *pairs);
}

std::optional<std::string_view> Text(simdjson::dom::element error, const char* name) {
  std::string_view text;
  if (error[name].get(text) != simdjson::SUCCESS) return std::nullopt;
  return text;
}

std::optional<FailureCode> CodeNamed(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(FailureCode::kUnavailable); ++i) {
    if (design::NameOf(static_cast<FailureCode>(i)) == name) return static_cast<FailureCode>(i);
  }
  return std::nullopt;
}

// The failure in a server's answer; nothing when it is not one of a Taula's.
std::optional<Failure> FailureIn(const std::string& body) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::element error;
  if (parser.parse(body).get(root) != simdjson::SUCCESS || root["error"].get(error) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  const auto code = Text(error, "code");
  const auto message = Text(error, "message");
  if (!code || !message) return std::nullopt;
  return Failure{CodeNamed(*code).value_or(FailureCode::kRefused), std::string(*message),
                 std::string(Text(error, "parameter").value_or(""))};
}

// The operation on a Taula that serves the design.
Answer CallServer(const CallOptions& options, const std::string& design, const std::string& operation,
                  const std::string& parameters) {
  const auto url = client::ParseUrl(options.server);
  if (!url) return Fail(FailureCode::kUnavailable, url.error());
  client::HttpConnection connection(*url);
  const auto response = connection.Send({.method = "POST",
                                         .target = fmt::format("/designs/{}/{}", design, operation),
                                         .fields = {{"Content-Type", "application/json"}},
                                         .body = parameters});
  if (!response) {
    return Fail(FailureCode::kUnavailable,
                fmt::format("Cannot reach {}: {}. Is `taula serve --design …` running there?", url->Origin(),
                            response.error().what));
  }
  if (response->status == 200) return response->body;
  if (auto failure = FailureIn(response->body)) return std::unexpected(*std::move(failure));
  return Fail(FailureCode::kRefused,
              fmt::format("{} serves no design '{}'; it answers {}.", url->Origin(), design, response->status));
}

// The operation from here.
Answer CallEndpoint(const CallOptions& options, const design::Design& design, const std::string& operation,
                    const std::string& parameters) {
  const auto client = client::Client::Open({.endpoint = options.endpoint, .region = options.region});
  if (!client) return Fail(FailureCode::kUnavailable, client.error());
  design::RemoteBackend backend(**client, KeepsDesign(design, options.stage, (*client)->endpoint()));
  return design::Runner(design, options.stage, backend).Run(operation, parameters);
}

std::string ErrorJson(const Failure& failure) {
  std::string text;
  codec::JsonWriter json(text);
  json.BeginObject();
  json.Key("error").BeginObject();
  json.Key("code").String(design::NameOf(failure.code));
  json.Key("message").String(failure.message);
  if (!failure.parameter.empty()) json.Key("parameter").String(failure.parameter);
  json.EndObject();
  json.EndObject();
  return text;
}

int Report(const CallOptions& options, const Answer& answer) {
  if (answer) {
    fmt::print("{}\n", PrettyJson(*answer));
    return kExitOk;
  }
  if (options.format == "json") {
    fmt::print(stderr, "{}\n", ErrorJson(answer.error()));
    return kExitFailure;
  }
  return Complain(kExitFailure, fmt::format("{}: {}", design::NameOf(answer.error().code), answer.error().message));
}

// All that the operation finds, and what --then finds behind it, as CSV.
int ReportCsv(const CallOptions& options, const RunOperation& run, const design::Design* design,
              const design::Operation* then, const std::string& parameters) {
  auto items = AllItems(run, options.operation, parameters);
  if (!items) return Report(options, std::unexpected(items.error()));
  if (then != nullptr) {
    auto behind = ItemsBehind(run, *design, *then, *items);
    if (!behind) return Report(options, std::unexpected(behind.error()));
    std::ranges::move(*behind, std::back_inserter(*items));
  }
  fmt::print("{}", CsvOf(*items, design));
  return kExitOk;
}

int Unknown(const design::Design& design, const std::string& name) {
  std::vector<std::string_view> known;
  for (const design::Operation& operation : design.operations) known.push_back(operation.name);
  return Complain(kExitFailure, fmt::format("{} has no operation '{}'. {} 'taula call {}' lists them.", design.name,
                                            name, design::SuggestName(name, known), design.name));
}

int Call(const CallOptions& options, const CLI::App& command) {
  if (options.name.empty()) {
    if (options.help) {
      fmt::print("{}", command.help());
      return kExitOk;
    }
    return Complain(kExitUsage, "which design? 'taula call --help' tells how it is called.");
  }
  const auto file = options.design_file.empty() ? FindDesignFile(options.name) : options.design_file;
  std::optional<design::Design> design;
  if (file) {
    auto read = ReadDesign(*file);
    if (!read) return Complain(kExitDesign, read.error());
    design = *std::move(read);
  }
  const bool needs_design =
      options.operation.empty() || options.help || !options.endpoint.empty() || !options.then.empty();
  if (!design && needs_design) {
    return Complain(kExitDesign, fmt::format("there is no design '{}' here: neither a file of that name nor "
                                             "designs/{}/design.yaml; --design says where it is",
                                             options.name, options.name));
  }
  if (options.operation.empty()) {
    fmt::print("{}", OperationList(*design));
    return kExitOk;
  }
  const design::Operation* operation = nullptr;
  if (design) {
    operation = design->FindOperation(options.operation);
    if (operation == nullptr) return Unknown(*design, options.operation);
    if (options.help) {
      fmt::print("{}", OperationUsage(*design, *operation));
      return kExitOk;
    }
  }
  if (!design && !(design::IsName(options.name) && design::IsName(options.operation))) {
    return Complain(kExitUsage,
                    fmt::format("letters, digits, '-' and '_' stand in the names of designs and operations, "
                                "which '{}' and '{}' are not",
                                options.name, options.operation));
  }
  if (!options.stage.empty() && options.endpoint.empty()) {
    return Complain(kExitUsage, "--stage goes with --endpoint; a server has the stage that it was started with");
  }
  const design::Operation* const then = options.then.empty() ? nullptr : design->FindOperation(options.then);
  if (then == nullptr && !options.then.empty()) return Unknown(*design, options.then);
  if (then != nullptr && options.format != "csv") {
    return Complain(kExitUsage, "--then goes with --format csv, which shows the items of both operations");
  }
  const auto parameters = ParametersJson(options, design ? &*design : nullptr, operation);
  if (!parameters) return Report(options, Fail(FailureCode::kInvalidParameter, parameters.error()));
  const std::string name = design ? design->name : options.name;
  const RunOperation run = [&](const std::string& called, const std::string& given) {
    return options.endpoint.empty() ? CallServer(options, name, called, given)
                                    : CallEndpoint(options, *design, called, given);
  };
  if (options.format == "csv") return ReportCsv(options, run, design ? &*design : nullptr, then, *parameters);
  return Report(options, run(options.operation, *parameters));
}

}  // namespace

void AddCallCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("call", "Run an operation of a design by its name");
  const auto options = std::make_shared<CallOptions>();
  command->set_help_flag();
  command->add_flag("-h,--help", options->help, "Show this help, or that of the design or the operation, and exit");
  command->add_option("name", options->name, "Name of the design, or its file")->type_name("DESIGN");
  command->add_option("operation", options->operation, "Operation; without one, all are listed")
      ->type_name("OPERATION");
  command->add_option("parameters", options->given, "Parameters: name=value, lists and objects as JSON, or name=@file")
      ->type_name("NAME=VALUE");
  command->add_option("--design", options->design_file, "The design's file, if it is not designs/DESIGN/design.yaml")
      ->type_name("FILE");
  command->add_option("--server", options->server, "A Taula that serves the design")
      ->envname("TAULA_SERVER")
      ->type_name("URL")
      ->default_str("http://127.0.0.1:8000");
  command->add_option("--endpoint", options->endpoint, "Run it from here, on this server that speaks DynamoDB's API")
      ->type_name("URL");
  command->add_option("--stage", options->stage, "What {stage} in the names of tables is, with --endpoint")
      ->type_name("NAME");
  command->add_option("--region", options->region, "Region to sign for, if not the usual one")->type_name("NAME");
  command->add_option("--json", options->json, "All parameters as a JSON object in a file; - is the standard input")
      ->type_name("FILE");
  command
      ->add_option("--format", options->format,
                   "text, json (errors come as JSON too), or csv: all items, over all pages")
      ->check(CLI::IsMember({"text", "json", "csv"}))
      ->type_name("FORMAT")
      ->default_str("text");
  command
      ->add_option("--then", options->then,
                   "Another operation, run for each item of the answer that has what it takes; with --format csv")
      ->type_name("OPERATION");
  command->footer(kExamples);
  command->callback([options, command, &exit_code] { exit_code = Call(*options, *command); });
}

}  // namespace taula::cli
