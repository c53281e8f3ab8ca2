#include "cli/served_designs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "base/log.h"
#include "cli/diagnostics_text.h"
#include "design/check.h"
#include "design/compare.h"
#include "design/load.h"
#include "design/rules.h"
#include "design/seed.h"
#include "design/table_setup.h"

namespace taula::cli {
namespace {

using design::Design;

std::string Place(const Design& design) { return fmt::format("{}: design {}", design.path, design.name); }

// Two designs cannot both say what the items of a table are.
std::expected<void, std::string> CheckTogether(const std::vector<std::unique_ptr<const Design>>& designs,
                                               const std::string& stage) {
  std::map<std::string, const Design*> by_name;
  std::map<std::string, const Design*> by_table;
  for (const auto& design : designs) {
    if (const auto [other, is_new] = by_name.emplace(design->name, design.get()); !is_new) {
      return std::unexpected(
          fmt::format("{} and {} are both named {}", other->second->path, design->path, design->name));
    }
    for (const design::Table& table : design->tables) {
      const std::string name = design->TableName(table, stage);
      if (const auto [other, is_new] = by_table.emplace(name, design.get()); !is_new) {
        return std::unexpected(fmt::format("{} and {} both have table {}", other->second->path, design->path, name));
      }
    }
  }
  return {};
}

std::string SavedName(const Design& design, const std::string& stage) {
  return fmt::format("design/{}/{}", design.name, stage.empty() ? design.stage : stage);
}

void SayDifferences(const std::optional<Design>& before, const Design& design) {
  if (!before) {
    base::Log(base::LogLevel::kWarning,
              "Design {} has changed since it was last served, and what was served then can "
              "no longer be read: nothing is compared",
              design.name);
    return;
  }
  const std::vector<std::string> differences = design::CompareDesigns(*before, design);
  base::Log(base::LogLevel::kWarning, "Design {} has changed since it was last served{}", design.name,
            differences.empty() ? "; nothing that items can feel" : ":");
  for (const std::string& difference : differences) {
    base::Log(base::LogLevel::kWarning, "Design {}: {}", design.name, difference);
  }
}

bool IsEmpty(const Design& design, const std::string& stage, engine::Engine& engine) {
  return std::ranges::all_of(design.tables, [&](const design::Table& table) {
    const Result<TableDescription> described = engine.tables().Describe(design.TableName(table, stage));
    return described && described->item_count == 0;
  });
}

// Compares the design with the one that was served before, and keeps it.
std::expected<void, std::string> Remember(const Design& design, const std::string& stage, engine::Engine& engine) {
  const std::string name = SavedName(design, stage);
  const Result<std::optional<std::string>> before = engine.SavedText(name);
  if (!before) return std::unexpected(before.error().message);
  if (*before == design.text) return {};
  if (*before) {
    SayDifferences(design::LoadDesign(**before, design.path).design, design);
  } else if (!IsEmpty(design, stage, engine)) {
    base::Log(base::LogLevel::kWarning,
              "Design {} is new to items that are there: they are kept to it when they are "
              "next written",
              design.name);
  }
  if (const Result<void> saved = engine.SaveText(name, design.text); !saved) {
    return std::unexpected(saved.error().message);
  }
  return {};
}

// Nothing is put on tables that the design cannot be laid over.
Result<void> PutRules(const Design& design, const std::string& stage, engine::Engine& engine,
                      design::Backend& backend) {
  if (Result<void> fits = design::CheckTables(design, stage, backend); !fits) return fits;
  for (const design::Table& table : design.tables) {
    Result<void> put = engine.PutRulesOn(design.TableName(table, stage), design::MakeRules(design, table));
    if (!put) return put;
  }
  return {};
}

void SayWhatIsWaitedFor(const Design& design, const std::string& stage, const engine::Engine& engine) {
  for (const design::Table& table : design.tables) {
    const catalog::TablePtr there = engine.FindTable(design.TableName(table, stage));
    if (there == nullptr || there->status != TableStatus::kCreating) continue;
    base::Log(base::LogLevel::kInfo, "Design {}: waiting for table {}, which is being restored or imported",
              design.name, there->name);
  }
}

std::expected<void, std::string> Install(const Design& design, const std::string& stage, engine::Engine& engine,
                                         design::Backend& backend) {
  SayWhatIsWaitedFor(design, stage, engine);
  const Result<design::TableSetup> setup = design::SetUpTables(design, stage, backend);
  if (!setup) return std::unexpected(setup.error().message);
  for (const std::string& made : setup->made) base::Log(base::LogLevel::kInfo, "Design {}: {}", design.name, made);
  for (const std::string& differs : setup->differs) {
    base::Log(base::LogLevel::kWarning, "Design {}: {}", design.name, differs);
  }
  for (const design::Table& table : design.tables) {
    if (!table.range_queries) continue;
    const std::string name = design.TableName(table, stage);
    if (const Result<void> enabled = engine.tables().EnableRangeQueries(name); !enabled) {
      return std::unexpected(enabled.error().message);
    }
  }
  return Remember(design, stage, engine);
}

}  // namespace

std::expected<ServedDesigns, std::string> ServedDesigns::Load(const std::vector<std::string>& files,
                                                              const std::string& stage) {
  ServedDesigns served;
  served.stage_ = stage;
  for (const std::string& file : files) {
    design::Loaded loaded = design::LoadDesignFile(file);
    design::Diagnostics diagnostics = std::move(loaded.diagnostics);
    if (loaded.design) std::ranges::move(design::CheckDesign(*loaded.design), std::back_inserter(diagnostics));
    if (design::HasErrors(diagnostics)) {
      std::erase_if(diagnostics,
                    [](const design::Diagnostic& each) { return each.severity != design::Severity::kError; });
      fmt::print(stderr, "{}", DiagnosticsText(file, loaded.text, diagnostics, StyleOf(STDERR_FILENO)));
      return std::unexpected(fmt::format("{} cannot be served; mend it, or see `taula design check {}`", file, file));
    }
    served.designs_.push_back(std::make_unique<const Design>(*std::move(loaded.design)));
  }
  if (auto together = CheckTogether(served.designs_, stage); !together) return std::unexpected(together.error());
  return served;
}

std::expected<void, std::string> ServedDesigns::InstallOn(engine::Engine& engine, design::Backend& backend) const {
  for (const auto& design : designs_) {
    if (const Result<void> put = PutRules(*design, stage_, engine, backend); !put) {
      return std::unexpected(fmt::format("{}: {}", Place(*design), put.error().message));
    }
  }
  if (const Result<void> given_up = engine.GiveUpUnkeptClaims(); !given_up) {
    return std::unexpected(given_up.error().message);
  }
  engine.TakeUpTransfers();
  for (const auto& design : designs_) {
    if (auto installed = Install(*design, stage_, engine, backend); !installed) {
      return std::unexpected(fmt::format("{}: {}", Place(*design), installed.error()));
    }
  }
  return {};
}

std::expected<void, std::string> ServedDesigns::Seed(engine::Engine& engine, design::Backend& backend) const {
  for (const auto& design : designs_) {
    const std::string path = design::SeedPath(*design);
    if (!std::filesystem::exists(path) || !IsEmpty(*design, stage_, engine)) continue;
    const auto count = design::LoadSeedFile(*design, stage_, path, backend);
    if (!count) return std::unexpected(count.error());
    base::Log(base::LogLevel::kInfo, "Design {}: {} items from {}", design->name, *count, path);
  }
  return {};
}

std::vector<const Design*> ServedDesigns::all() const {
  std::vector<const Design*> designs;
  for (const auto& design : designs_) designs.push_back(design.get());
  return designs;
}

}  // namespace taula::cli
