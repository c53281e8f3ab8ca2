#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/diagnostics_text.h"
#include "cli/exit_code.h"
#include "design/check.h"
#include "design/load.h"

namespace taula::cli {
namespace {

using design::Severity;

struct CheckOptions {
  std::vector<std::string> files;
  std::string format = "text";
  bool deny_warnings = false;
};

struct Counts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;

  void Add(const design::Diagnostics& diagnostics) {
    for (const design::Diagnostic& diagnostic : diagnostics) {
      ++(diagnostic.severity == Severity::kError     ? errors
         : diagnostic.severity == Severity::kWarning ? warnings
                                                     : notes);
    }
  }
};

std::string Counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string Summary(std::size_t files, const Counts& counts) {
  return fmt::format("{} checked: {}, {}, {}\n", Counted(files, "design"), Counted(counts.errors, "error"),
                     Counted(counts.warnings, "warning"), Counted(counts.notes, "note"));
}

int CheckFiles(const CheckOptions& options) {
  const bool is_json = options.format == "json";
  const TextStyle style = StyleOf(STDOUT_FILENO);
  Counts counts;
  std::string out;
  bool is_first = true;
  for (const std::string& file : options.files) {
    const design::Loaded loaded = design::LoadDesignFile(file);
    design::Diagnostics diagnostics = loaded.diagnostics;
    if (loaded.design) std::ranges::move(design::CheckDesign(*loaded.design), std::back_inserter(diagnostics));
    counts.Add(diagnostics);
    if (is_json) {
      AppendDiagnosticsJson(out, file, diagnostics, is_first);
    } else {
      out += DiagnosticsText(file, loaded.text, diagnostics, style);
    }
  }
  if (is_json) {
    fmt::print("[{}{}]\n", out, is_first ? "" : "\n");
  } else {
    fmt::print("{}{}", out, Summary(options.files.size(), counts));
  }
  const bool is_bad = counts.errors > 0 || (options.deny_warnings && counts.warnings > 0);
  return is_bad ? kExitFailure : kExitOk;
}

}  // namespace

void AddDesignCheckCommand(CLI::App& design, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* check = design.add_subcommand("check", "Say what is wrong or unwise in design files");
  check->add_option("FILE", options->files, "Design files to check")->required();
  check->add_option("--format", options->format, "text, or json: an array with an object for each finding")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT")
      ->capture_default_str();
  check->add_flag("--deny-warnings", options->deny_warnings, "End with 1 for warnings too, not just for errors");
  check->footer("\nEnds with 0 when there are no errors, with 1 when there are.");
  check->callback([options, &exit_code] { exit_code = CheckFiles(*options); });
}

}  // namespace taula::cli
