// `taula explain`: sends a request to a running Taula and says what it was
// about.
#include <fmt/core.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/explanation_text.h"
#include "client/client.h"
#include "client/error_reader.h"
#include "codec/error_name.h"

namespace taula::cli {
namespace {

constexpr const char* kExamples =
    "\nExamples:\n"
    "  taula explain Query '{\"TableName\":\"orders\",\"KeyConditionExpression\":\"pk = :p\",\n"
    "                      \"ExpressionAttributeValues\":{\":p\":{\"S\":\"USER#1\"}}}'\n"
    "  taula explain Scan @scan.json --server http://localhost:8001 --format json\n"
    "\nThe request is carried out: a PutItem writes. Any client gets the same from a header:\n"
    "X-Taula-Explain: true in the request, X-Taula-Explain: {…} in the answer.";

struct ExplainOptions {
  std::string operation;
  std::string request;
  std::string server = "http://localhost:8000";
  std::string format = "text";
};

int Complain(ExitCode code, const std::string& message) {
  fmt::print(stderr, "taula: {}\n", message);
  return code;
}

std::optional<std::string> RequestText(const std::string& given) {
  if (!given.starts_with('@')) return given;
  std::ifstream file(given.substr(1));
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// These two Amazon answers without a word.
std::string ErrorText(const Error& error, const ExplainOptions& options) {
  if (error.code == ErrorCode::kUnknownOperationException) {
    return fmt::format("DynamoDB has no operation '{}'", options.operation);
  }
  const std::string why = error.message.empty() ? "the request is not a JSON object" : error.message;
  return fmt::format("{}: {}", codec::ErrorName(error.code), why);
}

int Explain(const ExplainOptions& options) {
  const auto body = RequestText(options.request);
  if (!body) return Complain(kExitUsage, fmt::format("the file '{}' cannot be read", options.request.substr(1)));
  auto client = client::Client::Open({.endpoint = options.server});
  if (!client) return Complain(kExitUsage, client.error());
  const auto answer = (*client)->Send(options.operation, *body, {{"X-Taula-Explain", "true"}});
  if (!answer) return Complain(kExitFailure, answer.error().message);
  const auto error = answer->status == 200 ? std::nullopt : client::ReadError(answer->status, answer->body);
  const auto explanation = answer->Find("X-Taula-Explain");
  if (!explanation) {
    if (error) return Complain(kExitFailure, ErrorText(*error, options));
    return Complain(kExitFailure, fmt::format("{} answers, but explains nothing; it is not a Taula, or an older one",
                                              options.server));
  }
  if (options.format == "json") {
    fmt::print("{}\n", *explanation);
  } else {
    fmt::print("{}", ExplanationText(*explanation));
  }
  if (!error) return kExitOk;
  return Complain(kExitFailure, ErrorText(*error, options));
}

}  // namespace

void AddExplainCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("explain", "Say what a request reads, costs and is for");
  const auto options = std::make_shared<ExplainOptions>();
  command->add_option("operation", options->operation, "Operation, such as Query")->required()->type_name("OPERATION");
  command->add_option("request", options->request, "Its JSON, or @file")->required()->type_name("JSON");
  command->add_option("--server", options->server, "A running Taula")
      ->envname("TAULA_SERVER")
      ->type_name("URL")
      ->default_str("http://localhost:8000");
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT")
      ->default_str("text");
  command->set_help_flag("-h,--help", "Show this help and exit");
  command->footer(kExamples);
  command->callback([options, &exit_code] { exit_code = Explain(*options); });
}

}  // namespace taula::cli
