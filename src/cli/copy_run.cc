#include "cli/copy_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "cli/copy_tables.h"
#include "cli/exit_code.h"
#include "cli/signals.h"
#include "cli/table_source.h"
#include "transfer/compare_tables.h"
#include "transfer/progress.h"
#include "transfer/table_copy.h"

namespace taula::cli {
namespace {

using transfer::Grouped;
using transfer::TableCopy;

constexpr std::int64_t kGiveUpMs = 300'000;
constexpr std::int64_t kPollMs = 200;          // Amazon takes five reads of a shard a second
constexpr std::int64_t kDrainMsMax = 120'000;  // after that, writers have not been stopped
constexpr std::chrono::milliseconds kSignalMs{200};

int Complain(ExitCode code, const std::string& message) {
  fmt::print(stderr, "taula: {}\n", message);
  return code;
}

std::string Plural(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", Grouped(count), what, count == 1 ? "" : "s");
}

class CopyRun {
 public:
  CopyRun(const CopyOptions& options, transfer::CopyEnd from, transfer::CopyEnd to)
      : options_(options), from_(std::move(from)), to_(std::move(to)), rate_(options.rate) {}

  int Run() {
    const auto names = ChooseTables(options_, from_.call);
    if (!names) return Complain(kExitUsage, names.error());
    // Before there are threads.
    StopSignals signals;
    for (const auto& [name, as] : *names) {
      if (auto planned = Plan(name, as); !planned) return Complain(kExitFailure, planned.error());
    }
    if (options_.dry_run) return kExitOk;
    if (!MayTurnStreamsOn()) return kExitUsage;
    const std::jthread waiting([&](const std::stop_token& ended) {
      while (!ended.stop_requested() && !signals.AwaitFor(kSignalMs)) {
      }
      if (ended.stop_requested()) return;
      interrupted_ = true;
      if (!following_) abort_.request_stop();
      // This thread alone takes the second one, which ends the process.
      while (!ended.stop_requested()) std::this_thread::sleep_for(kSignalMs);
    });
    const auto done = Copy();
    WarnAll();
    if (done) return exit_code_;
    if (!following_ && interrupted_) return Complain(kExitFailure, "Interrupted. The same command goes on with it.");
    return Complain(kExitFailure, done.error().message + (begun_ ? " The same command goes on with it." : ""));
  }

 private:
  std::expected<void, std::string> Plan(const std::string& name, const std::string& as) {
    if (from_.origin == to_.origin && name == as) {
      return std::unexpected(fmt::format("{} cannot be copied onto itself; --as gives the copy another name.", name));
    }
    auto copy = TableCopy::Plan({.from = from_,
                                 .to = to_,
                                 .table = name,
                                 .as = as,
                                 .follow = !options_.no_follow,
                                 .into_existing = options_.into_existing,
                                 .calls_in_flight = options_.calls_in_flight,
                                 .rate = &rate_,
                                 .state_folder = options_.state_folder,
                                 .patience = {.give_up_ms = kGiveUpMs, .stop = abort_.get_token()}});
    if (!copy && copy.error().code == ErrorCode::kResourceNotFoundException) {
      return std::unexpected(NoSuchTable(from_.call, {.table = name, .endpoint = from_.origin}));
    }
    if (!copy) return std::unexpected(copy.error().message);
    copies_.push_back(*std::move(copy));
    if (options_.dry_run || !options_.quiet) Describe(*copies_.back());
    return {};
  }

  // What will be made, or gone on with.
  void Describe(const TableCopy& copy) const {
    const transfer::TableSettings& source = copy.source();
    const std::string as = copy.options().as == source.name ? "" : fmt::format(" as {}", copy.options().as);
    fmt::print("{}{}: about {}, {}", source.name, as, Plural(source.items, "item"), transfer::BytesText(source.bytes));
    if (copy.resumes()) {
      fmt::print("; goes on where an earlier run was ({}, {})\n", Plural(copy.items(), "item"),
                 Plural(copy.changes(), "change"));
      return;
    }
    if (!copy.makes_target()) {
      fmt::print("; into the table that is there\n");
      return;
    }
    std::vector<std::string> parts = {fmt::format("key {}", fmt::join(source.key, " and "))};
    if (!source.indexes.empty()) parts.push_back(fmt::format("indexes {}", fmt::join(source.indexes, ", ")));
    if (!source.stream_view.empty()) parts.push_back(fmt::format("stream {}", source.stream_view));
    if (!source.expires.empty()) parts.push_back(fmt::format("time to live by {}", source.expires));
    if (source.tags != "[]") parts.emplace_back("tags");
    if (source.recovery) parts.emplace_back("point-in-time recovery");
    if (source.protection) parts.emplace_back("deletion protection");
    fmt::print("; made with {}\n", fmt::join(parts, "; "));
    if (copy.needs_stream()) fmt::print("{}: the source gets a stream, to follow its changes\n", source.name);
  }

  bool MayTurnStreamsOn() {
    const auto first = std::ranges::find_if(copies_, [](const auto& copy) { return copy->needs_stream(); });
    if (first == copies_.end() || options_.yes) return true;
    const std::string& name = (*first)->source().name;
    if (isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0) {
      fmt::print(stderr, "Table {} at {} has no stream. Turn one on, to follow its changes? [y/N] ", name,
                 from_.origin);
      std::string answer;
      std::getline(std::cin, answer);
      if (answer == "y" || answer == "Y" || answer == "yes") return true;
    }
    fmt::print(stderr,
               "taula: Table {} at {} has no stream, without which its changes cannot be followed. --yes turns one on "
               "there (NEW_AND_OLD_IMAGES); --no-follow copies without.\n",
               name, from_.origin);
    return false;
  }

  Result<void> Copy() {
    begun_ = true;
    for (const auto& copy : copies_) {
      if (auto begun = copy->Begin(); !begun) return begun;
      WarnAll();
    }
    for (const auto& copy : copies_) {
      if (auto copied = CopyItems(*copy); !copied) return copied;
    }
    if (!options_.no_follow) {
      following_ = true;
      if (auto followed = Follow(); !followed) return followed;
    }
    if (auto verified = Verify(); !verified) return verified;
    for (const auto& copy : copies_) {
      if (auto finished = copy->Finish(); !finished) return finished;
      Say(fmt::format(
          "{}: {}{}", copy->source().name, Plural(copy->items(), "item"),
          options_.no_follow ? " copied" : fmt::format(" and {} copied", Plural(copy->changes(), "change"))));
    }
    Say(fmt::format("Now point your application at {}", to_.origin));
    return {};
  }

  Result<void> CopyItems(TableCopy& copy) {
    const transfer::Amount at_start{.items = copy.items(), .bytes = 0, .part = std::nullopt};
    transfer::Progress progress(options_.quiet, at_start);
    const auto part = [&](std::uint64_t items) -> std::optional<double> {
      if (copy.source().items == 0) return std::nullopt;
      return std::min(1.0, static_cast<double>(items) / static_cast<double>(copy.source().items));
    };
    transfer::Amount last = at_start;
    std::int64_t held_ms = base::SteadyMs();
    auto copied = copy.CopyItems([&](const transfer::CopiedAmount& amount) {
      last = {.items = amount.items, .bytes = amount.bytes, .part = part(amount.items)};
      progress.Show(last);
      if (base::SteadyMs() - held_ms < 30'000) return;
      held_ms = base::SteadyMs();
      HoldOthers(copy);
    });
    progress.Clear();
    if (!copied) return copied;
    Say(fmt::format("{}: {}", copy.source().name, progress.Summary(last)));
    return {};
  }

  // Their turn comes later, and a stream's place is not known for ever. A failure shows when it comes.
  void HoldOthers(const TableCopy& current) {
    for (const auto& copy : copies_) {
      if (copy.get() != &current) (void)copy->HoldStream();
    }
  }

  Result<void> Follow() {
    const bool has_terminal = isatty(STDERR_FILENO) != 0 && !options_.quiet;
    if (!options_.until_caught_up) {
      Say(fmt::format("Following the changes. Ctrl-C, when the application does not write to {} any more, ends it.",
                      from_.origin));
    }
    std::int64_t changed_ms = base::SteadyMs();
    std::optional<std::int64_t> draining_ms;
    double per_second = 0;
    while (true) {
      const std::int64_t begin_ms = base::SteadyMs();
      std::size_t changes = 0;
      for (const auto& copy : copies_) {
        const auto followed = copy->Follow();
        if (!followed) return std::unexpected(followed.error());
        changes += *followed;
      }
      const std::int64_t now_ms = base::SteadyMs();
      if (changes > 0) changed_ms = now_ms;
      per_second = 0.8 * per_second + 0.2 * static_cast<double>(changes) * 1000 /
                                          static_cast<double>(std::max<std::int64_t>(kPollMs, now_ms - begin_ms));
      if (has_terminal) ShowLag(per_second);
      const bool is_settled = static_cast<double>(now_ms - changed_ms) >= options_.settle_seconds * 1000;
      if (changes == 0 && is_settled && (interrupted_ || options_.until_caught_up)) break;
      if (interrupted_ && !draining_ms) draining_ms = now_ms;
      if (draining_ms && now_ms - *draining_ms > kDrainMsMax) {
        if (has_terminal) fmt::print(stderr, "\r\x1b[K");
        return Fail(ErrorCode::kServiceUnavailable,
                    fmt::format("Changes keep coming at {}: something still writes there.", from_.origin));
      }
      if (changes == 0) std::this_thread::sleep_for(std::chrono::milliseconds(kPollMs));
    }
    if (has_terminal) fmt::print(stderr, "\r\x1b[K");
    return {};
  }

  void ShowLag(double per_second) const {
    std::uint64_t changes = 0;
    std::int64_t lag_ms = 0;
    for (const auto& copy : copies_) {
      changes += copy->changes();
      lag_ms = std::max(lag_ms, copy->lag_ms());
    }
    fmt::print(stderr, "\r\x1b[K{}, {} a second, {:.1f} s behind{}", Plural(changes, "change"),
               Grouped(static_cast<std::uint64_t>(per_second)), static_cast<double>(lag_ms) / 1000,
               interrupted_ ? "; ending" : "");
    (void)std::fflush(stderr);
  }

  Result<void> Verify() {
    if (!options_.verify) return {};
    for (const auto& copy : copies_) {
      const auto compared = transfer::CompareTables(
          {.call = from_.call, .table = copy->options().table}, {.call = to_.call, .table = copy->options().as},
          {.key = copy->source().key,
           .calls_in_flight = options_.calls_in_flight,
           .patience = {.give_up_ms = kGiveUpMs, .stop = abort_.get_token()}});
      if (!compared) return std::unexpected(compared.error());
      if (compared->total() == 0) {
        Say(fmt::format("{}: both have the same {}", copy->source().name, Plural(compared->items, "item")));
        continue;
      }
      exit_code_ = kExitFailure;
      fmt::print(stderr, "taula: {} differs: {} missing at the target, {} different, {} only at the target\n",
                 copy->source().name, Plural(compared->missing, "item"), Grouped(compared->different),
                 Grouped(compared->extra));
      for (const std::string& example : compared->examples) fmt::print(stderr, "  {}\n", example);
    }
    return {};
  }

  void Say(const std::string& line) const {
    if (options_.quiet) return;
    fmt::print("{}\n", line);
    (void)std::fflush(stdout);
  }

  void WarnAll() {
    for (const auto& copy : copies_) {
      for (const std::string& warning : copy->TakeWarnings()) {
        fmt::print(stderr, "taula: {}: {}\n", copy->source().name, warning);
      }
    }
  }

  const CopyOptions& options_;
  const transfer::CopyEnd from_;
  const transfer::CopyEnd to_;
  transfer::UnitRate rate_;
  std::stop_source abort_;
  std::atomic<bool> interrupted_ = false;
  std::atomic<bool> following_ = false;  // an interruption is the wish to be switched over
  bool begun_ = false;
  int exit_code_ = kExitOk;
  std::vector<std::unique_ptr<TableCopy>> copies_;
};

}  // namespace

int RunCopy(CopyOptions options) {
  if (options.state_folder.empty()) options.state_folder = UsualStateFolder();
  std::error_code failed;
  std::filesystem::create_directories(options.state_folder, failed);
  if (failed) return Complain(kExitUsage, fmt::format("{}: {}", options.state_folder, failed.message()));
  auto from = OpenCopyEnd(options.from);
  if (!from) return Complain(kExitUsage, from.error());
  auto to = OpenCopyEnd(options.to);
  if (!to) return Complain(kExitUsage, to.error());
  return CopyRun(options, *std::move(from), *std::move(to)).Run();
}

}  // namespace taula::cli
