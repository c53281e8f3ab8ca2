// `taula import`: the items of files into a table.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/table_source.h"
#include "transfer/progress.h"
#include "transfer/table_import.h"

namespace taula::cli {
namespace {

constexpr const char* kExamples =
    "\nExamples:\n"
    "  taula import orders orders.ndjson\n"
    "  taula import orders orders.csv.gz --key pk:S,sk:S     makes the table when there is none\n"
    "  taula import customers customers.csv --types zip:S,tags:SS\n"
    "  taula import orders orders.ndjson --dry-run           only looks whether all would go in\n"
    "  zcat data/*.json.gz | taula import orders -           what Amazon has exported\n"
    "\nItems that are refused stand in FILE.rejects, with the line and the reason; the exit code is 6 then.";

struct Options {
  TableSource source;
  transfer::ImportOptions job;
  std::string format;
  std::string key;
  std::string types;
};

int Complain(ExitCode code, const std::string& message) {
  fmt::print(stderr, "taula: {}\n", message);
  return code;
}

bool IsKey(const transfer::ColumnTypes& key) {
  return !key.empty() && key.size() <= 2 && std::ranges::all_of(key, [](const transfer::ColumnType& part) {
    return part.type == Type::kString || part.type == Type::kNumber || part.type == Type::kBinary;
  });
}

// The table that is there, or one that is made for the purpose.
std::expected<transfer::TableShape, std::string> FindTable(const client::CallFunction& call, const Options& options,
                                                           const transfer::ColumnTypes& key) {
  auto table = transfer::DescribeTable(call, options.source.table);
  if (table && !key.empty()) {
    transfer::KeyNames names;
    for (const transfer::ColumnType& part : key) names.push_back(part.name);
    if (names != table->key) {
      return std::unexpected(
          fmt::format("Table {} is there, and its key is another one than --key says.", table->name));
    }
  }
  if (table) return *std::move(table);
  if (table.error().code != ErrorCode::kResourceNotFoundException) return std::unexpected(table.error().message);
  if (key.empty()) {
    return std::unexpected(NoSuchTable(call, options.source) +
                           " --key makes the table: --key pk:S, or --key pk:S,sk:N with a sort key.");
  }
  if (options.job.dry_run) {
    transfer::TableShape shape{.name = options.source.table, .typed = key};
    for (const transfer::ColumnType& part : key) shape.key.push_back(part.name);
    return shape;
  }
  auto made = transfer::CreateTable(call, options.source.table, key);
  if (!made) return std::unexpected(made.error().message);
  return *std::move(made);
}

int Report(const Options& options, const transfer::ImportOutcome& outcome) {
  if (!options.job.quiet || outcome.refused > 0) {
    fmt::print(stderr, "{} {}: {}\n", options.job.dry_run ? "Checked for" : "Imported into", options.source.table,
               outcome.summary);
  }
  if (outcome.refused == 0) return kExitOk;
  std::string message = fmt::format("{} of them {} refused", transfer::Grouped(outcome.refused),
                                    options.job.dry_run ? "would be" : "were");
  if (!outcome.first_refused.empty()) message += fmt::format(", the first one at {}", outcome.first_refused);
  if (!options.job.dry_run) message += fmt::format("; all are in {}", options.job.rejects_path);
  return Complain(kExitRefused, message);
}

int Import(Options& options) {
  transfer::ImportOptions& job = options.job;
  const auto key = transfer::ParseColumnTypes(options.key);
  if (!key) return Complain(kExitUsage, "--key: " + key.error());
  if (!options.key.empty() && !IsKey(*key)) {
    return Complain(kExitUsage, "--key: a key has one or two attributes, each of type S, N or B");
  }
  auto types = transfer::ParseColumnTypes(options.types);
  if (!types) return Complain(kExitUsage, "--types: " + types.error());
  job.reading.typed = *std::move(types);
  if (!options.format.empty()) job.format = transfer::FormatNamed(options.format);
  job.endpoint = options.source.endpoint;
  const bool is_stream = std::ranges::find(job.paths, "-") != job.paths.end();
  const std::string name = is_stream ? options.source.table : job.paths.front();
  if (job.rejects_path.empty()) job.rejects_path = name + ".rejects";
  if (job.checkpoint_path.empty() && !is_stream) job.checkpoint_path = name + ".taula-import";
  auto call = OpenServer(options.source);
  if (!call) return Complain(kExitUsage, call.error());
  const auto table = FindTable(*call, options, *key);
  if (!table) return Complain(kExitFailure, table.error());
  const auto outcome = transfer::ImportTable(*call, *table, job);
  if (!outcome) return Complain(kExitFailure, outcome.error());
  return Report(options, *outcome);
}

}  // namespace

void AddImportCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("import", "Write the items of files into a table");
  const auto options = std::make_shared<Options>();
  transfer::ImportOptions& job = options->job;
  AddTableSource(*command, options->source);
  command->add_option("files", job.paths, "The files; - is the standard input")->required()->type_name("FILE");
  command
      ->add_option("--format", options->format,
                   "ndjson: plain JSON, an item a line; dynamodb-json: as in Amazon's exports; csv (default: by the "
                   "file's name and its first line)")
      ->check(CLI::IsMember({"ndjson", "dynamodb-json", "csv"}))
      ->type_name("FORMAT");
  command->add_option("--key", options->key, "Make the table if there is none, with this key: pk:S or pk:S,sk:N")
      ->type_name("NAME:TYPE,...");
  command->add_option("--types", options->types, "Types of columns of CSV: zip:S,age:N,tags:SS")
      ->type_name("NAME:TYPE,...");
  command->add_flag("--text", job.reading.only_text, "Columns of CSV that have no type by --types or the key are text");
  command->add_flag("--keep-empty", job.reading.keep_empty, "An empty field of CSV is an empty text, not left out");
  command->add_flag("--dry-run", job.dry_run, "Check all items, and write none");
  command->add_flag("--resume", job.resume, "Go on with an import that was interrupted");
  command
      ->add_option("--checkpoint", job.checkpoint_path,
                   "Where it is kept how far the import is (default: FILE.taula-import)")
      ->type_name("FILE");
  command->add_option("--rejects", job.rejects_path, "Where items go that are refused (default: FILE.rejects)")
      ->type_name("FILE");
  command->add_option("--max-rejects", job.rejects_max, "Stop when more items are refused")
      ->type_name("NUMBER")
      ->default_str("10000");
  command->add_option("--in-flight", job.calls_in_flight, "How many batches are written at a time")
      ->check(CLI::Range(1, 256))
      ->type_name("NUMBER")
      ->default_str("8");
  command->add_flag("--quiet", job.quiet, "Say nothing when all goes well");
  command->footer(kExamples);
  command->callback([options, &exit_code] { exit_code = Import(*options); });
}

}  // namespace taula::cli
