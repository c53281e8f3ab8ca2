#include "transfer/table_copy.h"

#include <fmt/format.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "transfer/saved_text.h"

namespace taula::transfer {
namespace {

constexpr std::int64_t kSaveMs = 1'000;
// Small, as what a run that is killed has to do again is what waits, and the pages it is in.
constexpr std::size_t kWaitingMax = 2'000;
constexpr std::size_t kPageItemsMax = 500;
constexpr std::chrono::milliseconds kTick{250};
constexpr std::int64_t kStreamKeepsMs = 24 * 60 * 60 * 1000;

client::CallFunction Patient(client::CallFunction call, client::Patience patience) {
  return [call = std::move(call), patience = std::move(patience)](std::string_view operation, const std::string& body) {
    return client::CallPatiently(call, operation, body, patience);
  };
}

std::int64_t NowMs() { return base::Clock::System().NowMs(); }

}  // namespace

TableCopy::TableCopy(TableCopyOptions options, TableSettings source)
    : options_(std::move(options)),
      from_(Patient(options_.from.call, options_.patience)),
      to_(Patient(options_.to.call, options_.patience)),
      source_(std::move(source)),
      state_{.from = options_.from.origin,
             .table = options_.table,
             .to = options_.to.origin,
             .as = options_.as,
             .follows = options_.follow},
      // A stream that is turned on for this has nothing old.
      follower_(
          from_, options_.table,
          source_.stream_view.empty() ? client::StreamFollower::From::kOldest : client::StreamFollower::From::kNow),
      writer_(options_.to.call, {.table = options_.as,
                                 .key = source_.key,
                                 .calls_in_flight = options_.calls_in_flight,
                                 .waiting_max = kWaitingMax,
                                 .patience = options_.patience,
                                 .rate = options_.rate}),
      replay_(options_.from.call, source_.key, options_.patience, writer_),
      scan_(options_.from.call, {.table = options_.table,
                                 .segments = options_.calls_in_flight,
                                 .calls_in_flight = options_.calls_in_flight,
                                 .page_items_max = kPageItemsMax,
                                 .patience = options_.patience}) {
  state_path_ = options_.state_folder + "/" + StateFileName(state_);
}

Result<std::unique_ptr<TableCopy>> TableCopy::Plan(TableCopyOptions options) {
  Sentences warnings;
  auto source = ReadSettings(options.from.call, options.table, warnings);
  if (!source) return std::unexpected(source.error());
  std::unique_ptr<TableCopy> copy(new TableCopy(std::move(options), *std::move(source)));
  copy->warnings_ = std::move(warnings);
  if (auto loaded = copy->LoadState(); !loaded) return std::unexpected(loaded.error());
  if (auto looked = copy->LookAtTarget(); !looked) return std::unexpected(looked.error());
  return copy;
}

Result<void> TableCopy::LoadState() {
  const auto text = LoadText(state_path_);
  if (!text) return Fail(ErrorCode::kInternalServerError, text.error().message);
  if (!*text) return {};
  const auto state = CopyStateFrom(**text);
  if (!state || !state->IsOf(state_)) {
    return ValidationError(fmt::format("{} does not tell of this copy. Delete it to begin anew.", state_path_));
  }
  if (state->follows != options_.follow) {
    return ValidationError(
        fmt::format("An earlier run began to copy {} {}. Go on like that, or delete {} to begin anew.", options_.table,
                    state->follows ? "without --no-follow" : "with --no-follow", state_path_));
  }
  if ((!state->stream.empty() && !follower_.Resume(state->stream)) ||
      (!state->scan.empty() && !scan_.Resume(state->scan))) {
    return ValidationError(fmt::format("{} cannot be understood. Delete it to begin anew.", state_path_));
  }
  state_ = *state;
  resumes_ = true;
  return CheckStillKept();
}

Result<void> TableCopy::CheckStillKept() const {
  if (!options_.follow || NowMs() - state_.held_ms < kStreamKeepsMs) return {};
  return Fail(ErrorCode::kTrimmedDataAccessException,
              fmt::format("Changes of table {} are lost: they are older than a day, which is how long a stream keeps "
                          "them. Delete the table {} at {} and the file {}, and begin anew.",
                          options_.table, options_.as, options_.to.origin, state_path_));
}

Result<void> TableCopy::LookAtTarget() {
  Sentences unimportant;
  const auto target = ReadSettings(options_.to.call, options_.as, unimportant);
  target_exists_ = target.has_value();
  if (!target) {
    if (target.error().code != ErrorCode::kResourceNotFoundException) return std::unexpected(target.error());
    if (!resumes_ || state_.scan.empty()) return {};
    return ValidationError(fmt::format("Table {} is gone from {}. Delete {} to copy it anew.", options_.as,
                                       options_.to.origin, state_path_));
  }
  if (const auto why = WhyKeysDiffer(source_, *target)) {
    return ValidationError(
        fmt::format("Table {} at {} cannot take the items: {}.", options_.as, options_.to.origin, *why));
  }
  if (!resumes_ && !options_.into_existing) {
    return Fail(ErrorCode::kResourceInUseException,
                fmt::format("There is a table {} at {}. --into-existing copies into it, --as and --prefix give the "
                            "copy another name.",
                            options_.as, options_.to.origin));
  }
  for (const std::string& index : source_.indexes) {
    if (std::ranges::find(target->indexes, index) != target->indexes.end()) continue;
    warnings_.push_back(
        fmt::format("Table {} at {} has no index {}, which the source has.", options_.as, options_.to.origin, index));
  }
  return {};
}

Result<void> TableCopy::Begin() {
  if (!resumes_ && options_.follow) {
    if (needs_stream()) {
      if (auto on = TurnStreamOn(from_, options_.table, options_.patience); !on) return on;
    }
    if (auto held = HoldStream(); !held) return held;
    state_.held_ms = NowMs();
  }
  // Before the table is made: so that it is known whose it is.
  if (!resumes_) {
    if (auto saved = Save(); !saved) return saved;
  }
  if (target_exists_) return {};
  return MakeTable(to_, source_, options_.as, options_.patience, warnings_);
}

Result<void> TableCopy::HoldStream() {
  if (!options_.follow) return {};
  if (auto held = follower_.Hold(); !held) return held;
  state_.stream = follower_.Checkpoint();
  return {};
}

Result<void> TableCopy::Save() {
  saved_ms_ = base::SteadyMs();
  const auto saved = SaveText(state_path_, ToText(state_));
  if (!saved) return Fail(ErrorCode::kInternalServerError, saved.error().message);
  return {};
}

Result<void> TableCopy::SaveScan() {
  const std::string positions = scan_.Positions();
  if (auto written = writer_.Flush(); !written) return written;
  state_.scan = positions;
  return Save();
}

Result<void> TableCopy::CopyItems(const Tick& tick) {
  if (scan_.done()) return {};
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Result<void>> read;
  std::thread scanning([&] {
    auto result = scan_.Run([this](const ScanPage& page) -> Result<void> {
      for (const std::string_view item : page.items) {
        if (auto put = writer_.Put(item); !put) return put;
        bytes_ += item.size();
      }
      return {};
    });
    const std::lock_guard lock(mutex);
    read = std::move(result);
    changed.notify_all();
  });
  Result<void> kept;
  while (true) {
    std::unique_lock lock(mutex);
    if (changed.wait_for(lock, kTick, [&] { return read.has_value(); })) break;
    lock.unlock();
    tick({scan_.items(), bytes_});
    if (!kept || base::SteadyMs() - saved_ms_ < kSaveMs) continue;
    kept = HoldStream();
    if (kept) kept = SaveScan();
  }
  scanning.join();
  tick({scan_.items(), bytes_});
  // Also of a scan that was ended: the next run goes on there.
  const auto saved = SaveScan();
  if (!*read) return *read;
  if (!kept) return kept;
  return saved;
}

Result<std::size_t> TableCopy::Follow() {
  if (auto kept = CheckStillKept(); !kept) return std::unexpected(kept.error());
  Result<void> replayed;
  const auto read = follower_.Poll([&](const client::ChangeBatch& batch) {
    if (replayed) replayed = replay_.Replay(batch);
    return replayed.has_value();
  });
  if (!replayed) return std::unexpected(replayed.error());
  if (!read) return read;
  if (const auto lost = follower_.TakeWarnings(); !lost.empty()) {
    return Fail(ErrorCode::kTrimmedDataAccessException, lost.front() + " The copy has to begin anew.");
  }
  if (auto written = writer_.Flush(); !written) return std::unexpected(written.error());
  const std::int64_t now_ms = NowMs();
  state_.changes += *read;
  state_.stream = follower_.Checkpoint();
  state_.held_ms = *read > 0 && replay_.newest_ms() > 0 ? std::min(now_ms, replay_.newest_ms()) : now_ms;
  lag_ms_ = *read > 0 ? now_ms - state_.held_ms : 0;
  if (*read > 0 || base::SteadyMs() - saved_ms_ >= kSaveMs) {
    if (auto saved = Save(); !saved) return std::unexpected(saved.error());
  }
  return read;
}

Result<void> TableCopy::Finish() {
  FinishSettings(to_, source_, options_.as, warnings_);
  if (std::remove(state_path_.c_str()) == 0) return {};
  return Fail(ErrorCode::kInternalServerError, fmt::format("{} cannot be deleted", state_path_));
}

}  // namespace taula::transfer
