// `taula export`: the items of a table into a file, as people want them.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/table_source.h"
#include "design/closest_name.h"
#include "transfer/table_export.h"

namespace taula::cli {
namespace {

constexpr const char* kExamples =
    "\nExamples:\n"
    "  taula export orders orders.ndjson                an item a line, as plain JSON\n"
    "  taula export orders orders.csv.gz                for spreadsheets, compressed\n"
    "  taula export orders --columns pk,total --format csv\n"
    "  taula export orders orders.ndjson --resume       goes on after an interruption\n"
    "  taula export orders --endpoint https://dynamodb.eu-west-1.amazonaws.com | taula import orders - --key pk:S\n"
    "\nThe file's name says the format and whether it is compressed: .ndjson, .jsonl, .csv, with .gz or .zst.";

struct Options {
  TableSource source;
  transfer::ExportOptions job;
  std::string format;
};

int Complain(ExitCode code, const std::string& message) {
  fmt::print(stderr, "taula: {}\n", message);
  return code;
}

std::string NoSuchIndex(const transfer::TableShape& table, const std::string& index) {
  const std::string text = fmt::format("Table {} has no index '{}'.", table.name, index);
  if (table.indexes.empty()) return text + " It has none at all.";
  const std::vector<std::string_view> known(table.indexes.begin(), table.indexes.end());
  return text + ' ' + design::SuggestName(index, known);
}

int Export(Options& options) {
  const transfer::FileKind kind = transfer::KindOf(options.job.path);
  options.job.compression = kind.compression;
  options.job.format =
      options.format.empty() ? kind.format.value_or(transfer::Format::kNdjson) : *transfer::FormatNamed(options.format);
  options.job.endpoint = options.source.endpoint;
  auto call = OpenServer(options.source);
  if (!call) return Complain(kExitUsage, call.error());
  const auto table = transfer::DescribeTable(*call, options.source.table);
  if (!table && table.error().code == ErrorCode::kResourceNotFoundException) {
    return Complain(kExitFailure, NoSuchTable(*call, options.source));
  }
  if (!table) return Complain(kExitFailure, table.error().message);
  const std::string& index = options.job.index;
  if (!index.empty() && std::ranges::find(table->indexes, index) == table->indexes.end()) {
    return Complain(kExitFailure, NoSuchIndex(*table, index));
  }
  const auto done = transfer::ExportTable(*call, *table, options.job);
  if (!done) return Complain(kExitFailure, done.error());
  if (!options.job.quiet) fmt::print(stderr, "Exported {}: {}\n", table->name, *done);
  return kExitOk;
}

}  // namespace

void AddExportCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("export", "Write the items of a table into a file");
  const auto options = std::make_shared<Options>();
  transfer::ExportOptions& job = options->job;
  AddTableSource(*command, options->source);
  command->add_option("file", job.path, "Where to; - is the standard output")->type_name("FILE")->default_str("-");
  command
      ->add_option("--format", options->format,
                   "ndjson: plain JSON, an item a line; dynamodb-json: as in Amazon's exports; csv (default: by the "
                   "file's name, or ndjson)")
      ->check(CLI::IsMember({"ndjson", "dynamodb-json", "csv"}))
      ->type_name("FORMAT");
  command->add_option("--index", job.index, "An index instead of the table")->type_name("NAME");
  command->add_option("--columns", job.columns, "Only these attributes, in this order in CSV")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
  command->add_option("--segments", job.segments, "How many parts of the table are read at a time")
      ->check(CLI::Range(1, 256))
      ->type_name("NUMBER")
      ->default_str("8");
  command->add_flag("--consistent", job.consistent, "Read what is newest, which costs twice as much with Amazon");
  command->add_flag("--resume", job.resume, "Go on with an export that was interrupted");
  command->add_flag("--restart", job.restart, "Begin anew, though another export was interrupted");
  command->add_flag("--quiet", job.quiet, "Say nothing when all goes well");
  command->footer(kExamples);
  command->callback([options, &exit_code] { exit_code = Export(*options); });
}

}  // namespace taula::cli
