// The parts of the loader, each in a file of its subject. All read what they
// can and complain of the rest.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "design/model.h"
#include "design/yaml_reader.h"

namespace taula::design {

// load_values.cc
// A plain 5, true or null is what it looks like; everything else is text.
[[nodiscard]] Value ReadLiteral(const YamlNode& node);
// A value of the attribute's type: for a string, 5 is text too.
[[nodiscard]] std::optional<Value> ReadLiteralOf(const Attribute& attribute, const YamlNode& node,
                                                 std::string_view what, Complaints& complaints);
[[nodiscard]] Template ReadTemplate(const YamlNode& node, std::string_view what, Complaints& complaints);
[[nodiscard]] Term ReadTerm(const YamlNode& node, Complaints& complaints);

// load_attributes.cc
enum class Defaults : std::uint8_t { kLiteral, kLeft };  // kLeft: the caller reads "default"
[[nodiscard]] Attribute ReadAttribute(std::string name, Place place, const YamlNode& node, Defaults defaults,
                                      Complaints& complaints);
[[nodiscard]] std::vector<Attribute> ReadAttributes(const YamlNode& node, std::string owner, Complaints& complaints);

// load_tables.cc
[[nodiscard]] std::vector<Table> ReadTables(const YamlNode& node, Complaints& complaints);

// load_entities.cc: of a design whose tables are there.
struct EntityDefaults {
  std::vector<Attribute> attributes;
  std::vector<std::string> top;  // those with top: true
  std::string map;
};
[[nodiscard]] Checks ReadChecks(const MapReader& owner, Checks otherwise);
[[nodiscard]] std::vector<Entity> ReadEntities(const YamlNode& node, const Design& design, const YamlNode* defaults,
                                               Complaints& complaints);

// load_operations.cc: of a design whose entities are there.
[[nodiscard]] std::vector<Operation> ReadOperations(const YamlNode& node, const Design& design, Complaints& complaints);

// Names that stand in templates, commands and addresses: letters, digits, '-',
// '_'. Complains of others.
void RequireName(std::string_view name, Place place, std::string_view kind, Complaints& complaints);

}  // namespace taula::design
