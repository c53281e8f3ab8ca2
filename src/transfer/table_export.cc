#include "transfer/table_export.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "base/clock.h"
#include "buckets/item_line.h"
#include "buckets/line_reader.h"
#include "codec/json_writer.h"
#include "codec/plain_json.h"
#include "transfer/csv_items.h"
#include "transfer/export_state.h"
#include "transfer/output_file.h"
#include "transfer/progress.h"
#include "transfer/saved_text.h"
#include "transfer/table_scan.h"

namespace taula::transfer {
namespace {

using buckets::Compression;
using buckets::Descriptor;
using buckets::Outcome;
using Done = std::expected<void, std::string>;

constexpr std::size_t kColumnsMax = 10'000;

// Something that is written once, from front to end: a pipe, a terminal.
bool IsStream(const std::string& path) {
  struct stat found {};
  return path == "-" || (stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode));
}

std::unexpected<std::string> Because(const buckets::Failure& failure) { return std::unexpected(failure.message + "."); }

Outcome<OutputFile> OpenStream(const std::string& path, Compression compression) {
  Descriptor file(path == "-" ? dup(STDOUT_FILENO) : open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.is_open()) return buckets::SystemFailure(errno, path);
  return OutputFile(std::move(file), path == "-" ? "the standard output" : path, compression);
}

// A file without a name.
Outcome<Descriptor> TemporaryFile() {
  const char* const folder = std::getenv("TMPDIR");
  std::string path = fmt::format("{}/taula-export-XXXXXX", folder == nullptr || *folder == '\0' ? "/tmp" : folder);
  Descriptor file(mkostemp(path.data(), O_CLOEXEC));
  if (!file.is_open()) return buckets::SystemFailure(errno, path);
  unlink(path.c_str());
  return file;
}

class TableExport {
 public:
  TableExport(const client::CallFunction& call, const TableShape& table, const ExportOptions& options)
      : table_(table),
        options_(options),
        is_stream_(IsStream(options.path)),
        is_spooled_(options.format == Format::kCsv && options.columns.empty()),
        scan_(call, {.table = table.name,
                     .segments = options.segments,
                     .calls_in_flight = options.segments,
                     .consistent = options.consistent,
                     .more_members = MoreMembers(options)}) {}

  std::expected<std::string, std::string> Run() {
    if (auto prepared = Prepare(); !prepared) return std::unexpected(prepared.error());
    if (auto opened = Open(); !opened) return Because(opened.error());
    progress_.emplace(options_.quiet, Now());
    const auto read = scan_.Run([this](const ScanPage& page) { return Visit(page); });
    if (!read) return Interrupted(read.error());
    if (auto finished = Finish(); !finished) return Because(finished.error());
    progress_->Clear();
    return progress_->Summary({items_, bytes_, {}});
  }

 private:
  // The attributes are named through "#" and a number, for any word may be reserved.
  static std::string MoreMembers(const ExportOptions& options) {
    std::string text;
    codec::JsonWriter json(text);
    json.BeginObject();
    if (!options.index.empty()) json.Key("IndexName").String(options.index);
    if (!options.columns.empty()) {
      std::string projection;
      json.Key("ExpressionAttributeNames").BeginObject();
      for (std::size_t i = 0; i < options.columns.size(); ++i) {
        const std::string name = fmt::format("#{}", i);
        json.Key(name).String(options.columns[i]);
        projection += (i == 0 ? "" : ",") + name;
      }
      json.EndObject();
      json.Key("ProjectionExpression").String(projection);
    }
    json.EndObject();
    return text.substr(1, text.size() - 2);
  }

  [[nodiscard]] std::string What() const {
    return fmt::format("table {}{} of {} as {}{}{}", table_.name, table_.id.empty() ? "" : " (" + table_.id + ")",
                       options_.endpoint, NameOf(options_.format),
                       options_.index.empty() ? "" : ", index " + options_.index,
                       options_.columns.empty() ? "" : fmt::format(", columns {}", fmt::join(options_.columns, ",")));
  }

  [[nodiscard]] std::string StatePath() const { return options_.path + ".taula-resume"; }
  [[nodiscard]] std::string PartialPath() const { return options_.path + ".partial"; }

  // Finds out where to begin.
  Done Prepare() {
    if (is_stream_) {
      if (options_.resume) return std::unexpected("--resume needs a file to go on with.");
      return {};
    }
    const auto text = LoadText(StatePath());
    if (!text) return Because(text.error());
    if (!*text || options_.restart) return {};
    if (!options_.resume) {
      return std::unexpected(fmt::format(
          "An export to {} was interrupted. --resume goes on with it, --restart begins anew.", options_.path));
    }
    auto state = ExportState::Parse(**text);
    if (!state || !scan_.Resume(state->positions)) {
      return std::unexpected(fmt::format("{} is not what an export leaves. --restart begins anew.", StatePath()));
    }
    if (state->of != What()) {
      return std::unexpected(
          fmt::format("The export that was interrupted is another one: {}. This one is: {}. "
                      "--restart begins anew.",
                      state->of, What()));
    }
    length_ = state->length;
    bytes_ = state->bytes;
    items_ = scan_.items();
    return {};
  }

  Outcome<void> Open() {
    positions_ = scan_.positions();
    if (is_spooled_ && is_stream_) {
      Outcome<Descriptor> file = TemporaryFile();
      if (!file) return std::unexpected(file.error());
      temporary_ = *std::move(file);
      spool_path_ = fmt::format("/proc/self/fd/{}", temporary_.number());
    } else if (is_spooled_) {
      spool_path_ = options_.path + ".spool";
    }
    Outcome<OutputFile> output = is_spooled_  ? OutputFile::Open(spool_path_, Compression::kZstd, length_)
                                 : is_stream_ ? OpenStream(options_.path, options_.compression)
                                              : OutputFile::Open(PartialPath(), options_.compression, length_);
    if (!output) return std::unexpected(output.error());
    output_.emplace(*std::move(output));
    checkpoint_ms_ = base::SteadyMs();
    if (is_spooled_ || options_.format != Format::kCsv || length_ > 0) return {};
    std::string header;
    AppendCsvHeader(header, options_.columns);
    return output_->Write(header);
  }

  // Lines of a page, written by the thread that has read it.
  Result<void> AppendLines(const ScanPage& page, std::string& lines) const {
    buckets::ItemLineReader reader;
    codec::PlainJsonReader json(codec::TypeMarks::kWritten);
    const bool as_is = is_spooled_ || options_.format == Format::kDynamoDbJson;
    std::string line;
    for (const std::string_view text : page.items) {
      line.assign(R"({"Item":)").append(text).append("}");
      if (as_is) {
        lines.append(line).append("\n");
        continue;
      }
      const auto item = reader.Read(line);
      if (!item) return Fail(ErrorCode::kInternalServerError, "The server's items cannot be understood.");
      if (options_.format == Format::kCsv) {
        AppendCsvRecord(lines, options_.columns, table_.typed, *item, json);
      } else {
        codec::AppendPlainItem(lines, item->attributes());
        lines.push_back('\n');
      }
    }
    return {};
  }

  Result<void> Visit(const ScanPage& page) {
    std::string lines;
    if (auto appended = AppendLines(page, lines); !appended) return appended;
    const std::lock_guard lock(mutex_);
    if (auto written = output_->Write(lines); !written) return NotWritten(written.error());
    items_ += page.items.size();
    bytes_ += lines.size();
    positions_[page.segment] = page.next;
    progress_->Show(Now());
    if (is_stream_ || base::SteadyMs() - checkpoint_ms_ < options_.checkpoint_ms) return {};
    if (auto saved = Checkpoint(); !saved) return NotWritten(saved.error());
    return {};
  }

  static std::unexpected<Error> NotWritten(const buckets::Failure& failure) {
    return Fail(ErrorCode::kInternalServerError, failure.message + ".");
  }

  Outcome<void> Checkpoint() {
    const Outcome<std::uint64_t> length = output_->Settle();
    if (!length) return std::unexpected(length.error());
    const ExportState state{What(), *length, bytes_, PositionsText(positions_, items_)};
    auto saved = SaveText(StatePath(), state.Text());
    checkpoint_ms_ = base::SteadyMs();
    return saved;
  }

  // What has been read so far is kept.
  std::unexpected<std::string> Interrupted(const Error& error) {
    progress_->Clear();
    if (!is_stream_ && items_ > 0 && Checkpoint()) {
      return std::unexpected(fmt::format("{}{} {} items were exported before; --resume goes on behind them.",
                                         error.message, error.message.ends_with('.') ? "" : ".", Grouped(items_)));
    }
    return std::unexpected(error.message);
  }

  Outcome<void> Finish() {
    if (is_spooled_) {
      // From here on the scan is over, even if what follows is interrupted.
      if (auto saved = is_stream_ ? output_->Finish() : Checkpoint(); !saved) return saved;
      auto output = is_stream_ ? OpenStream(options_.path, options_.compression)
                               : OutputFile::Open(PartialPath(), options_.compression);
      if (!output) return std::unexpected(output.error());
      output_.emplace(*std::move(output));
      if (auto written = WriteSpooled(); !written) return written;
    }
    if (is_stream_) return output_->Finish();
    if (auto length = output_->Settle(); !length) return std::unexpected(length.error());
    if (std::rename(PartialPath().c_str(), options_.path.c_str()) != 0) {
      return buckets::SystemFailure(errno, options_.path);
    }
    unlink(StatePath().c_str());
    if (is_spooled_) unlink(spool_path_.c_str());
    return {};
  }

  template <typename Each>
  Outcome<void> ForEachSpooled(Each each) const {
    Descriptor file(open(spool_path_.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open()) return buckets::SystemFailure(errno, spool_path_);
    buckets::LineReader lines(buckets::OpenSource(std::move(file), spool_path_, Compression::kZstd));
    buckets::ItemLineReader reader;
    while (true) {
      const auto line = lines.Next();
      if (!line) return std::unexpected(line.error());
      if (!*line) return {};
      const auto item = reader.Read(**line);
      if (!item) return buckets::FailWith(buckets::kMalformed, "The server's items cannot be understood");
      if (auto taken = each(*item); !taken) return taken;
    }
  }

  // Keys first, then all others by name.
  Outcome<std::vector<std::string>> Columns() const {
    std::set<std::string, std::less<>> names;
    const auto read = ForEachSpooled([&](const Item& item) -> Outcome<void> {
      for (const auto [name, value] : item.attributes()) {
        if (!names.contains(name)) names.emplace(name);
      }
      if (names.size() <= kColumnsMax) return {};
      return buckets::FailWith(buckets::kMalformed, fmt::format("The items have more than {} attributes: --columns "
                                                                "names those that are wanted",
                                                                kColumnsMax));
    });
    if (!read) return std::unexpected(read.error());
    std::vector<std::string> columns = table_.key;
    for (const std::string& name : names) {
      if (std::ranges::find(table_.key, name) == table_.key.end()) columns.push_back(name);
    }
    return columns;
  }

  Outcome<void> WriteSpooled() {
    const auto columns = Columns();
    if (!columns) return std::unexpected(columns.error());
    std::string text;
    AppendCsvHeader(text, *columns);
    bytes_ = 0;
    codec::PlainJsonReader json(codec::TypeMarks::kWritten);
    const auto write = [&] {
      bytes_ += text.size();
      auto written = output_->Write(text);
      text.clear();
      return written;
    };
    if (auto written = write(); !written) return written;
    return ForEachSpooled([&](const Item& item) {
      AppendCsvRecord(text, *columns, table_.typed, item, json);
      return write();
    });
  }

  [[nodiscard]] Amount Now() const {
    Amount now{items_, bytes_, {}};
    if (table_.item_count > 0 && options_.index.empty()) {
      now.part = static_cast<double>(items_) / static_cast<double>(table_.item_count);
    }
    return now;
  }

  const TableShape& table_;
  const ExportOptions& options_;
  const bool is_stream_;
  const bool is_spooled_;
  TableScan scan_;
  Descriptor temporary_;
  std::string spool_path_;
  std::uint64_t length_ = 0;  // to go on from
  std::optional<Progress> progress_;

  std::mutex mutex_;  // of what follows, while the scan runs
  std::optional<OutputFile> output_;
  std::vector<ScanPosition> positions_;
  std::uint64_t items_ = 0;
  std::uint64_t bytes_ = 0;
  std::int64_t checkpoint_ms_ = 0;
};

}  // namespace

std::expected<std::string, std::string> ExportTable(const client::CallFunction& call, const TableShape& table,
                                                    const ExportOptions& options) {
  return TableExport(call, table, options).Run();
}

}  // namespace taula::transfer
