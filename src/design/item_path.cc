#include "design/item_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "design/closest_name.h"

namespace taula::design {
namespace {

// "a.b[0]" as "a", "b", "[0]".
std::vector<std::string> Split(std::string_view path) {
  std::vector<std::string> steps;
  std::string step;
  const auto end_step = [&] {
    if (!step.empty()) steps.push_back(std::exchange(step, {}));
  };
  for (const char c : path) {
    if (c == '.' || c == '[') end_step();
    if (c != '.') step.push_back(c);
  }
  end_step();
  return steps;
}

const Attribute* ShapeInside(const Attribute* shape, std::string_view step) {
  if (shape == nullptr) return nullptr;
  if (step.starts_with('[')) return shape->elements.empty() ? nullptr : shape->elements.data();
  const auto found = std::ranges::find(shape->fields, step, &Attribute::name);
  return found == shape->fields.end() ? nullptr : &*found;
}

bool IsTablesOwn(const Table& table, std::string_view name) {
  const auto is_part_of = [&](const KeyPart& partition, const std::optional<KeyPart>& sort) {
    return partition.name == name || (sort && sort->name == name);
  };
  return is_part_of(table.partition, table.sort) || table.ttl == name ||
         std::ranges::any_of(table.indexes,
                             [&](const Index& index) { return is_part_of(index.partition, index.sort); });
}

bool IsItems(const Design& design, const Entity& entity, std::string_view name) {
  return name == entity.map || std::ranges::any_of(entity.type, [&](const auto& mark) { return mark.first == name; }) ||
         IsTablesOwn(design.TableOf(entity), name);
}

std::string Unknown(const Design& design, std::span<const std::string> entities, std::string_view name) {
  std::vector<std::string_view> known;
  for (const std::string& each : entities) {
    const Entity* const entity = design.FindEntity(each);
    if (entity == nullptr) continue;
    for (const Attribute& attribute : entity->attributes) known.push_back(attribute.name);
  }
  return fmt::format("{} has no attribute '{}'. {}", fmt::join(entities, " and "), name, SuggestName(name, known));
}

}  // namespace

ItemPath PathOf(const Attribute& attribute) {
  ItemPath path{.steps = {}, .shape = &attribute};
  if (!attribute.map.empty()) path.steps.push_back(attribute.map);
  path.steps.push_back(attribute.name);
  return path;
}

std::expected<ItemPath, std::string> ResolvePath(const Design& design, std::span<const std::string> entities,
                                                 std::string_view path) {
  const std::vector<std::string> steps = Split(path);
  if (steps.empty()) return std::unexpected(std::string("there is no attribute without a name"));
  std::optional<ItemPath> resolved;
  for (const std::string& each : entities) {
    const Entity* const entity = design.FindEntity(each);
    if (entity == nullptr || resolved) continue;
    const Attribute* const attribute = entity->Find(steps.front());
    if (attribute != nullptr && !attribute->stored) {
      return std::unexpected(
          fmt::format("'{}' stands only in the key of {}, where no condition can look", attribute->name, entity->name));
    }
    if (attribute != nullptr) {
      resolved = PathOf(*attribute);
    } else if (steps.size() > 1 && steps.front() == entity->map && entity->Find(steps[1]) != nullptr) {
      // "data.title", where title is kept in data: the same as "title".
      return ResolvePath(design, entities, path.substr(entity->map.size() + 1));
    } else if (IsItems(design, *entity, steps.front())) {
      resolved = ItemPath{.steps = {steps.front()}, .shape = nullptr};
    }
  }
  if (!resolved) return std::unexpected(Unknown(design, entities, steps.front()));
  for (std::size_t i = 1; i < steps.size(); ++i) {
    resolved->steps.push_back(steps[i]);
    resolved->shape = ShapeInside(resolved->shape, steps[i]);
  }
  return *std::move(resolved);
}

std::vector<std::string> ReferencesOf(const Template& text) {
  std::vector<std::string> names;
  for (const Template::Part& part : text.parts()) {
    if (part.is_reference() && std::ranges::find(names, part.reference) == names.end()) names.push_back(part.reference);
  }
  return names;
}

std::vector<std::string> KeyAttributes(const Entity& entity) {
  std::vector<std::string> names = ReferencesOf(entity.key.partition);
  if (!entity.key.sort) return names;
  for (std::string& name : ReferencesOf(*entity.key.sort)) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace taula::design
