// `taula trigger`: hands the changes of a table to a command or a web address,
// in order, each at least once.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/change_target.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/stream_source.h"
#include "client/patience.h"

namespace taula::cli {
namespace {

constexpr const char* kExamples =
    "\nExamples:\n"
    "  taula trigger orders -- ./on-change.sh              the changes come on its standard input\n"
    "  taula trigger orders --webhook http://localhost:3000/changes\n"
    "\nBoth get {\"Records\": […]}, as a function behind a stream does. What is not taken (an exit code that is not "
    "0,\n"
    "a status that is not 2xx) comes again, and nothing of its shard before it. What has been taken is kept in the\n"
    "checkpoint, where the next start goes on.\n";

struct TriggerOptions {
  StreamSource source;
  std::vector<std::string> command;
  std::string webhook;
  std::string checkpoint;
  std::size_t batch = 100;
  bool until_end = false;
};

int Complain(ExitCode code, const std::string& message) {
  fmt::print(stderr, "taula: {}\n", message);
  return code;
}

std::string Event(const client::ChangeBatch& batch) {
  std::string event = "{\"Records\":[";
  for (const std::string_view record : batch.records) {
    if (event.back() != '[') event += ',';
    event += record;
  }
  return event + "]}";
}

// As a whole or not at all.
bool Save(const std::string& path, const std::string& text) {
  const std::string fresh = path + ".new";
  std::ofstream file(fresh, std::ios::trunc);
  file << text << '\n';
  file.close();
  return file.good() && std::rename(fresh.c_str(), path.c_str()) == 0;
}

// The checkpoint of an earlier run, if there is one.
std::expected<void, std::string> Resume(client::StreamFollower& follower, const std::string& path) {
  std::ifstream file(path);
  if (!file) return {};
  std::stringstream text;
  text << file.rdbuf();
  if (follower.Resume(text.str())) return {};
  return std::unexpected(fmt::format("{} is no checkpoint of this table; --checkpoint names another file", path));
}

class Trigger {
 public:
  Trigger(const TriggerOptions& options, client::StreamFollower follower, std::unique_ptr<ChangeTarget> target)
      : options_(options), follower_(std::move(follower)), target_(std::move(target)) {}

  int Run() {
    bool ever = false;
    while (true) {
      refused_ = false;
      const auto read =
          follower_.Poll([this](const client::ChangeBatch& batch) { return Hand(batch); }, options_.batch);
      for (const std::string& warning : follower_.TakeWarnings()) fmt::print(stderr, "taula: {}\n", warning);
      if (!read && (!ever || !client::IsPassing(read.error()))) return Complain(kExitFailure, read.error().message);
      if (!read && failures_ == 0) fmt::print(stderr, "taula: {} Trying again.\n", read.error().message);
      // Also when there was nothing: where to go on is known from the start.
      if (read && (*read > 0 || !ever) && !Save(options_.checkpoint, follower_.Checkpoint())) {
        return Complain(kExitFailure,
                        fmt::format("{} cannot be written: {}", options_.checkpoint, std::strerror(errno)));
      }
      ever = ever || read.has_value();
      failures_ = read && !refused_ ? 0 : failures_ + 1;
      if (options_.until_end && read && *read == 0 && !refused_) return kExitOk;
      WaitBetweenPolls(read.value_or(0), failures_);
    }
  }

 private:
  bool Hand(const client::ChangeBatch& batch) {
    const auto taken = target_->Take(Event(batch));
    if (taken) return true;
    refused_ = true;
    fmt::print(stderr, "taula: {}; {} changes will be handed to it again.\n", taken.error(), batch.records.size());
    return false;
  }

  const TriggerOptions& options_;
  client::StreamFollower follower_;
  std::unique_ptr<ChangeTarget> target_;
  bool refused_ = false;      // something, in this poll
  std::size_t failures_ = 0;  // polls in a row in which something was refused or failed
};

int RunTrigger(const TriggerOptions& options) {
  if (options.command.empty() == options.webhook.empty()) {
    return Complain(kExitUsage, "a trigger has either a command, behind --, or a --webhook");
  }
  std::unique_ptr<ChangeTarget> target;
  if (options.webhook.empty()) {
    target = CommandTarget(options.command);
  } else {
    auto webhook = WebhookTarget(options.webhook);
    if (!webhook) return Complain(kExitUsage, webhook.error());
    target = *std::move(webhook);
  }
  auto follower = Follow(options.source);
  if (!follower) return Complain(kExitUsage, follower.error());
  if (auto resumed = Resume(*follower, options.checkpoint); !resumed) return Complain(kExitUsage, resumed.error());
  return Trigger(options, *std::move(follower), std::move(target)).Run();
}

}  // namespace

void AddTriggerCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("trigger", "Hand the changes of a table to a command or a web address");
  const auto options = std::make_shared<TriggerOptions>();
  AddStreamSource(*command, options->source);
  command->add_option("command", options->command, "The command, behind --")->type_name("COMMAND");
  command->add_option("--webhook", options->webhook, "Where to post changes, instead of a command")->type_name("URL");
  command->add_option("--batch", options->batch, "How many changes are handed on together, at most")
      ->check(CLI::Range(1, 1000))
      ->type_name("NUMBER")
      ->default_str("100");
  command
      ->add_option("--checkpoint", options->checkpoint,
                   "File that remembers what has been taken (default: taula-trigger-TABLE.json)")
      ->type_name("FILE");
  command->add_flag("--until-end", options->until_end, "Stop when there is nothing more");
  command->footer(kExamples);
  command->callback([options, &exit_code] {
    if (options->checkpoint.empty()) options->checkpoint = fmt::format("taula-trigger-{}.json", options->source.table);
    exit_code = RunTrigger(*options);
  });
}

}  // namespace taula::cli
