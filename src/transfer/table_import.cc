#include "transfer/table_import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "buckets/item_line.h"
#include "codec/json_writer.h"
#include "codec/plain_json.h"
#include "transfer/bulk_writer.h"
#include "transfer/import_state.h"
#include "transfer/item_input.h"
#include "transfer/progress.h"
#include "transfer/rejects.h"
#include "transfer/saved_text.h"

namespace taula::transfer {
namespace {

using Done = std::expected<void, std::string>;

std::unexpected<std::string> Because(const buckets::Failure& failure) { return std::unexpected(failure.message + "."); }

// Which line an item that is on its way came from, by its key.
class LinesUnderWay {
 public:
  void Add(std::string key, std::uint64_t line) {
    const std::lock_guard lock(mutex_);
    lines_[std::move(key)] = line;
  }
  [[nodiscard]] std::uint64_t Find(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = lines_.find(key);
    return found == lines_.end() ? 0 : found->second;
  }
  void Clear() {
    const std::lock_guard lock(mutex_);
    lines_.clear();
  }
  [[nodiscard]] std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return lines_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::uint64_t> lines_;
};

class TableImport {
 public:
  TableImport(const client::CallFunction& call, const TableShape& table, const ImportOptions& options)
      : call_(call), table_(table), options_(options), reading_(options.reading) {
    // What somebody says of a column goes before what is known of it.
    reading_.typed.insert(reading_.typed.end(), table.typed.begin(), table.typed.end());
    state_.of = What();
  }

  std::expected<ImportOutcome, std::string> Run() {
    if (auto prepared = Prepare(); !prepared) return std::unexpected(prepared.error());
    rejects_.emplace(options_.dry_run ? std::string() : options_.rejects_path, state_.refused, state_.rejects_bytes);
    progress_.emplace(options_.quiet, Now({}));
    if (!options_.dry_run) writer_.emplace(call_, WriterOptions());
    while (state_.file < options_.paths.size()) {
      if (auto imported = ImportFile(options_.paths[state_.file]); !imported) return Interrupted(imported.error());
      ++state_.file;
      state_.position = 0;
      if (auto saved = Checkpoint(); !saved) return Interrupted(saved.error());
    }
    progress_->Clear();
    if (!options_.checkpoint_path.empty() && !options_.dry_run) unlink(options_.checkpoint_path.c_str());
    return ImportOutcome{progress_->Summary(Now({})), rejects_->count(), rejects_->first()};
  }

 private:
  // So little is under way that a checkpoint is soon reached, and enough that all calls have something to do.
  static constexpr std::size_t kUnderWayMax = 10'000;
  static constexpr std::size_t kWaitingBytesMax = std::size_t{2} << 20;

  [[nodiscard]] std::string What() const {
    return fmt::format("{} into table {}{} of {}", fmt::join(options_.paths, ", "), table_.name,
                       table_.id.empty() ? "" : " (" + table_.id + ")", options_.endpoint);
  }

  BulkWriterOptions WriterOptions() {
    return {.table = table_.name,
            .key = table_.key,
            .calls_in_flight = options_.calls_in_flight,
            .waiting_bytes_max = kWaitingBytesMax,
            .refused = [this](std::string_view request, const Error& error) { return Refused(request, error); }};
  }

  // Finds out where to begin.
  Done Prepare() {
    if (!options_.resume) return {};
    if (options_.checkpoint_path.empty()) {
      return std::unexpected("--resume needs files: what came on the standard input does not come again.");
    }
    const auto text = LoadText(options_.checkpoint_path);
    if (!text) return Because(text.error());
    if (!*text) return {};
    auto state = ImportState::Parse(**text);
    if (!state) {
      return std::unexpected(fmt::format("{} is not what an import leaves; without --resume the import begins anew.",
                                         options_.checkpoint_path));
    }
    if (state->of != state_.of) {
      return std::unexpected(
          fmt::format("The import that was interrupted is another one: {}. This one is: {}. Without "
                      "--resume it begins anew.",
                      state->of, state_.of));
    }
    state_ = *std::move(state);
    return {};
  }

  Done ImportFile(const std::string& path) {
    auto input = ItemInput::Open(path, options_.format, reading_);
    if (!input) return Because(input.error());
    if (auto skipped = input->SkipTo(state_.position); !skipped) return Because(skipped.error());
    bytes_before_ = state_.bytes - state_.position;
    path_ = path == "-" ? "standard input" : path;
    while (true) {
      auto next = input->Read();
      if (!next) {
        return std::unexpected(next.error().message.contains(path)
                                   ? next.error().message + "."
                                   : fmt::format("{}:{}: {}.", path_, input->line() + 1, next.error().message));
      }
      if (std::holds_alternative<std::monostate>(*next)) break;
      if (auto taken = Take(*next, input->line()); !taken) return taken;
      ++state_.items;
      state_.position = input->position();
      state_.bytes = bytes_before_ + state_.position;
      progress_->Show(Now(input->part()));
      const bool is_due = base::SteadyMs() - checkpoint_ms_ >= options_.checkpoint_ms;
      if (!is_due && under_way_.size() < kUnderWayMax) continue;
      if (auto saved = Checkpoint(); !saved) return saved;
    }
    return {};
  }

  Done Take(const ItemInput::Next& next, std::uint64_t line) {
    if (const auto* bad = std::get_if<BadLine>(&next)) {
      rejects_->Add({.file = path_, .line = line, .why = bad->why, .text = bad->text});
      return StopAtTooMany();
    }
    const Item& item = std::get<Item>(next);
    if (const auto why = WhyRefused(table_, item)) {
      std::string plain;
      codec::AppendPlainItem(plain, item.attributes());
      rejects_->Add({.file = path_, .line = line, .why = *why, .item = plain});
      return StopAtTooMany();
    }
    if (options_.dry_run) return {};
    json_.clear();
    codec::AppendItemJson(json_, item.attributes());
    if (auto key = KeyOf(json_, table_.key)) under_way_.Add(*std::move(key), line);
    if (auto put = writer_->Put(json_); !put) return std::unexpected(put.error().message);
    return StopAtTooMany();
  }

  Done StopAtTooMany() {
    if (rejects_->count() <= options_.rejects_max) return {};
    return std::unexpected(
        fmt::format("More than {} items were refused, the first one at {}. --max-rejects allows more.",
                    Grouped(options_.rejects_max), rejects_->first()));
  }

  // By the server. Called from the writer's threads.
  bool Refused(std::string_view request, const Error& error) {
    constexpr std::string_view kPut = R"({"PutRequest":)";
    std::string_view inner = request;
    if (!inner.starts_with(kPut)) return false;
    inner.remove_prefix(kPut.size());
    inner.remove_suffix(1);
    const auto item = buckets::ItemLineReader().Read(inner);
    if (!item) return false;
    std::string json;
    codec::AppendItemJson(json, item->attributes());
    const auto key = KeyOf(json, table_.key);
    std::string plain;
    codec::AppendPlainItem(plain, item->attributes());
    rejects_->Add({.file = path_, .line = key ? under_way_.Find(*key) : 0, .why = error.message, .item = plain});
    return true;
  }

  // All that has been read has then been written, and that is known.
  Done Checkpoint() {
    checkpoint_ms_ = base::SteadyMs();
    if (options_.dry_run) return {};
    if (auto flushed = writer_->Flush(); !flushed) return std::unexpected(flushed.error().message);
    under_way_.Clear();
    const auto settled = rejects_->Settle();
    if (!settled) return Because(settled.error());
    if (options_.checkpoint_path.empty()) return {};
    state_.refused = rejects_->count();
    state_.rejects_bytes = *settled;
    if (auto saved = SaveText(options_.checkpoint_path, state_.Text()); !saved) return Because(saved.error());
    has_checkpoint_ = true;
    return {};
  }

  std::unexpected<std::string> Interrupted(const std::string& why) {
    progress_->Clear();
    (void)rejects_->Settle();
    if (!has_checkpoint_) return std::unexpected(why);
    return std::unexpected(
        fmt::format("{}{} --resume goes on where the import was.", why, why.ends_with('.') ? "" : "."));
  }

  [[nodiscard]] Amount Now(std::optional<double> part_of_file) const {
    Amount now{state_.items, state_.bytes, {}};
    const auto files = static_cast<double>(options_.paths.size());
    if (part_of_file) now.part = (static_cast<double>(state_.file) + *part_of_file) / files;
    return now;
  }

  const client::CallFunction& call_;
  const TableShape& table_;
  const ImportOptions& options_;
  CsvReading reading_;
  ImportState state_;
  std::optional<Rejects> rejects_;
  std::optional<Progress> progress_;
  LinesUnderWay under_way_;
  std::string path_;  // being read, for messages
  std::uint64_t bytes_before_ = 0;
  std::int64_t checkpoint_ms_ = base::SteadyMs();
  bool has_checkpoint_ = false;
  std::string json_;
  std::optional<BulkWriter> writer_;  // ends before all that it reports to
};

}  // namespace

std::expected<ImportOutcome, std::string> ImportTable(const client::CallFunction& call, const TableShape& table,
                                                      const ImportOptions& options) {
  return TableImport(call, table, options).Run();
}

}  // namespace taula::transfer
