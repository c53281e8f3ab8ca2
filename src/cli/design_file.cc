#include "cli/design_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "design/load.h"

namespace taula::cli {

std::optional<std::string> FindDesignFile(const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored)) return name;
  const bool is_name = !name.empty() && name.find_first_of("/\\") == std::string::npos;
  std::string usual = fmt::format("designs/{}/design.yaml", name);
  if (is_name && std::filesystem::is_regular_file(usual, ignored)) return usual;
  return std::nullopt;
}

std::expected<design::Design, std::string> ReadDesign(const std::string& file) {
  design::Loaded loaded = design::LoadDesignFile(file);
  if (loaded.design) return *std::move(loaded.design);
  std::string text;
  for (const design::Diagnostic& diagnostic : loaded.diagnostics) {
    if (diagnostic.severity != design::Severity::kError) continue;
    if (!text.empty()) text.push_back('\n');
    const design::Place place = diagnostic.place;
    text.append(place.line > 0 ? fmt::format("{}:{}:{}: {}", file, place.line, place.column, diagnostic.what)
                               : fmt::format("{}: {}", file, diagnostic.what));
  }
  return std::unexpected(text.empty() ? fmt::format("{}: cannot be read", file) : text);
}

}  // namespace taula::cli
