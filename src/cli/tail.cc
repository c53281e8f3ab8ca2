// `taula tail`: prints the changes of a table as they happen.
#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <string>

#include "cli/change_text.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/stream_source.h"
#include "client/patience.h"

namespace taula::cli {
namespace {

constexpr const char* kExamples =
    "\nExamples:\n"
    "  taula tail orders\n"
    "  taula tail orders --from oldest --until-end        what is there, then stop\n"
    "  taula tail orders --format json | jq .dynamodb\n";

struct TailOptions {
  StreamSource source;
  std::string format = "text";
  bool until_end = false;
};

void Print(const TailOptions& options, const client::ChangeBatch& batch) {
  for (const std::string_view record : batch.records) {
    fmt::print("{}\n", options.format == "json" ? std::string(record) : ChangeText(record));
  }
  (void)std::fflush(stdout);
}

int Tail(const TailOptions& options) {
  auto follower = Follow(options.source);
  if (!follower) {
    fmt::print(stderr, "taula: {}\n", follower.error());
    return kExitUsage;
  }
  const auto print = [&](const client::ChangeBatch& batch) {
    Print(options, batch);
    return std::ferror(stdout) == 0;
  };
  std::size_t failures = 0;
  bool ever = false;
  while (std::ferror(stdout) == 0) {
    const auto read = follower->Poll(print);
    for (const std::string& warning : follower->TakeWarnings()) fmt::print(stderr, "taula: {}\n", warning);
    if (!read && (!ever || !client::IsPassing(read.error()))) {
      fmt::print(stderr, "taula: {}\n", read.error().message);
      return kExitFailure;
    }
    if (!read && failures == 0) fmt::print(stderr, "taula: {} Trying again.\n", read.error().message);
    ever = ever || read.has_value();
    failures = read ? 0 : failures + 1;
    if (options.until_end && read && *read == 0) return kExitOk;
    WaitBetweenPolls(read.value_or(0), failures);
  }
  return kExitOk;
}

}  // namespace

void AddTailCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("tail", "Print the changes of a table as they happen");
  const auto options = std::make_shared<TailOptions>();
  AddStreamSource(*command, options->source);
  command->add_flag("--until-end", options->until_end, "Stop when there is nothing more");
  command->add_option("--format", options->format, "text, or json: each change as GetRecords has it, on a line")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT")
      ->default_str("text");
  command->footer(kExamples);
  command->callback([options, &exit_code] { exit_code = Tail(*options); });
}

}  // namespace taula::cli
