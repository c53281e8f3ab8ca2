#include "design/load.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "design/load_parts.h"
#include "design/members.h"
#include "design/yaml_reader.h"
#include "design/yaml_tree.h"

namespace taula::design {
namespace {

Loaded Refused(YamlError error) {
  return {.design = std::nullopt,
          .diagnostics = {{.severity = Severity::kError,
                           .code = std::move(error.code),
                           .place = error.place,
                           .what = std::move(error.what),
                           .why = "",
                           .fix = std::move(error.fix)}},
          .text = ""};
}

void ReadDesign(const YamlNode& root, Design& design, Complaints& complaints) {
  const MapReader reader(root, "a design", kDesignMembers, complaints);
  design.name = reader.RequireText("design");
  if (const YamlNode* name = reader.Find("design")) RequireName(design.name, name->place, "a design", complaints);
  design.description = reader.Text("description");
  design.stage = reader.Text("stage", design.stage);
  design.checks = ReadChecks(reader, Checks::kEnforce);
  if (const YamlNode* tables = reader.Require("tables")) design.tables = ReadTables(*tables, complaints);
  if (const YamlNode* entities = reader.Require("entities")) {
    design.entities = ReadEntities(*entities, design, reader.Find("defaults"), complaints);
  }
  if (const YamlNode* operations = reader.Find("operations")) {
    design.operations = ReadOperations(*operations, design, complaints);
  }
}

}  // namespace

Loaded LoadDesign(std::string_view text, std::string path) {
  auto root = ParseYaml(text);
  if (!root) {
    Loaded refused = Refused(std::move(root.error()));
    refused.text = text;
    return refused;
  }
  Design design;
  design.path = std::move(path);
  design.text = text;
  Complaints complaints;
  ReadDesign(*root, design, complaints);
  Loaded loaded{.design = std::nullopt, .diagnostics = complaints.Take(), .text = std::string(text)};
  if (!HasErrors(loaded.diagnostics)) loaded.design = std::move(design);
  return loaded;
}

Loaded LoadDesignFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kYamlBytesMax + 1, '\0');
  // A folder can be opened, but not read.
  if (!file || (!file.read(text.data(), static_cast<std::streamsize>(text.size())) && !file.eof())) {
    return Refused({.code = "unreadable-file",
                    .what = fmt::format("'{}' cannot be read: {}", path, std::strerror(errno)),
                    .fix = ""});
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return LoadDesign(text, path);
}

}  // namespace taula::design
