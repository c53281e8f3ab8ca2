// Where an entity keeps an attribute: from the plain names of conditions and
// operations to paths inside of the item.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "design/model.h"

namespace taula::design {

struct ItemPath {
  std::vector<std::string> steps;    // {"data", "tags", "[0]"}
  const Attribute* shape = nullptr;  // nothing where the design does not say
};

// "status" or "preferences.theme" or "tags[0]"; also names that are not the
// entity's own but the table's: key attributes, `type` attributes, the map. Of
// several entities the first that has it counts. The error is a sentence.
[[nodiscard]] std::expected<ItemPath, std::string> ResolvePath(const Design& design,
                                                               std::span<const std::string> entities,
                                                               std::string_view path);

// Where one of the entity's own attributes is.
[[nodiscard]] ItemPath PathOf(const Attribute& attribute);

// The attributes that a template names, each once.
[[nodiscard]] std::vector<std::string> ReferencesOf(const Template& text);

// The attributes in an entity's primary key, each once, partition key first.
[[nodiscard]] std::vector<std::string> KeyAttributes(const Entity& entity);

}  // namespace taula::design
